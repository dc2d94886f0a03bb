import * as v from "valibot";
import { codes } from "@fava/wire/codes.ts";
import { inspectedFrame, inspectionLateMs, inspectionTicketMs } from "@fava/wire/limits.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { encodeInWorker } from "./frame-encoder.ts";

/** A request of the server: one frame of one view, at a moment of its choice. */
export interface FrameAsked {
  readonly roomId: string;
  readonly ticket: string;
  readonly view: "own" | "received";
  readonly dueInMs: number;
}

/** Size and quality of an encoded frame. */
export interface PictureSize {
  /** The shorter edge, at most. */
  readonly edgePx: number;
  /** JPEG quality, 0 to 1. */
  readonly quality: number;
}

/** Largest first; a slow uplink gets a smaller size. The models need at least 224 px. */
export const pictureSizes = [
  { edgePx: inspectedFrame.heightPx, quality: inspectedFrame.quality },
  { edgePx: 320, quality: 0.75 },
  { edgePx: 240, quality: 0.7 },
] as const satisfies readonly PictureSize[];

/** Concurrent uploads per view, at most: one that hangs does not block the next. */
const uploadsMax = 2;
/**
 * An upload that takes this long makes the next frames smaller; several quick uploads in a row make them larger again.
 */
const slowUploadMs = 3_000;
const quickUploadMs = 1_000;
const quickUploads = 3;
/** The first delay after a failed upload; it doubles with each further failure. */
const retryMs = 500;
const retryMsMax = 4_000;

export interface FrameSamplerOptions {
  /** The track of the requested view; null while there is none, or it sends no video. */
  trackOf(asked: FrameAsked): MediaStreamTrack | null;
  /** Resolves to null if the track showed no frame before `signal` aborted. */
  take(track: MediaStreamTrack, size: PictureSize, signal: AbortSignal): Promise<Blob | null>;
  /** @throws RequestFailure; a temporary one is retried while the frame is still useful */
  send(asked: FrameAsked, picture: Blob, signal: AbortSignal): Promise<void>;
  /** Whether the page is hidden. It then captures frames at once, because its timers fire late. */
  isHidden(): boolean;
}

interface FrameRequest {
  readonly asked: FrameAsked;
  /** Aborted once the server no longer accepts the frame, and after the call. */
  readonly signal: AbortSignal;
}

interface Taken extends FrameRequest {
  readonly picture: Blob;
}

class View {
  isTaking = false;
  /** The newest request that has become due while another frame is being captured. */
  next: FrameRequest | null = null;
  /** The newest frame that waits until an upload can start. */
  waiting: Taken | null = null;
  uploads = 0;
  failures = 0;
  backOff: ReturnType<typeof setTimeout> | null = null;
}

/**
 * Captures the frames that the server requests, each at its moment whatever happened to earlier ones, and uploads them
 * while they are useful.
 */
export class FrameSampler {
  readonly #options: FrameSamplerOptions;
  #views = { own: new View(), received: new View() };
  #owner = new AbortController();
  /** An index of `pictureSizes`. */
  #size = 0;
  #quickUploads = 0;

  constructor(options: FrameSamplerOptions) {
    this.#options = options;
  }

  /** Captures the frame when it is due. */
  ask(asked: FrameAsked): void {
    const request = { asked, signal: AbortSignal.any([this.#owner.signal, AbortSignal.timeout(inspectionLateMs)]) };
    if (asked.dueInMs <= 0 || this.#options.isHidden()) this.#due(request);
    else setTimeout(() => this.#due(request), asked.dueInMs);
  }

  /** Drops all requests and uploads: the call is over. */
  stop(): void {
    this.#owner.abort();
    this.#owner = new AbortController();
    for (const { backOff } of Object.values(this.#views)) clearTimeout(backOff ?? undefined);
    this.#views = { own: new View(), received: new View() };
  }

  #due(request: FrameRequest): void {
    if (request.signal.aborted) return;
    const view = this.#views[request.asked.view];
    view.next = request;
    if (!view.isTaking) void this.#takeAll(view);
  }

  async #takeAll(view: View): Promise<void> {
    view.isTaking = true;
    try {
      for (let request = view.next; request; request = view.next) {
        view.next = null;
        const picture = await this.#take(request);
        if (!picture) continue;
        view.waiting = { ...request, picture };
        this.#uploadNext(view);
      }
    } finally {
      view.isTaking = false;
    }
  }

  async #take({ asked, signal }: FrameRequest): Promise<Blob | null> {
    const track = signal.aborted ? null : this.#options.trackOf(asked);
    if (!track) return null;
    try {
      // A track without frames must not delay the next request.
      const untilShown = AbortSignal.any([signal, AbortSignal.timeout(inspectionTicketMs)]);
      return await this.#options.take(track, pictureSizes[this.#size] ?? pictureSizes[0], untilShown);
    } catch (error) {
      console.info("no frame taken", error);
      return null;
    }
  }

  #uploadNext(view: View): void {
    const { waiting } = view;
    if (!waiting || view.uploads >= uploadsMax || view.backOff !== null) return;
    view.waiting = null;
    if (!waiting.signal.aborted) void this.#upload(view, waiting);
  }

  async #upload(view: View, taken: Taken): Promise<void> {
    view.uploads += 1;
    const beganAtMs = performance.now();
    try {
      await this.#options.send(taken.asked, taken.picture, taken.signal);
      view.failures = 0;
      this.#notePace(performance.now() - beganAtMs);
    } catch (error) {
      this.#failed(view, taken, error);
    } finally {
      view.uploads -= 1;
      this.#uploadNext(view);
    }
  }

  #failed(view: View, taken: Taken, error: unknown): void {
    if (isTimeout(taken.signal.reason)) return this.#notePace(inspectionLateMs);
    if (taken.signal.aborted) return;
    if (!mayPass(error)) return console.info("no frame sent", error);
    view.waiting ??= taken;
    const waitMs = Math.max(Math.min(retryMs * 2 ** view.failures, retryMsMax), waitAskedMs(error));
    view.failures += 1;
    clearTimeout(view.backOff ?? undefined);
    view.backOff = setTimeout(() => {
      view.backOff = null;
      this.#uploadNext(view);
    }, waitMs);
  }

  #notePace(tookMs: number): void {
    this.#quickUploads = tookMs < quickUploadMs ? this.#quickUploads + 1 : 0;
    if (tookMs >= slowUploadMs) this.#size = Math.min(this.#size + 1, pictureSizes.length - 1);
    if (this.#quickUploads < quickUploads) return;
    this.#quickUploads = 0;
    this.#size = Math.max(this.#size - 1, 0);
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

/** Whether the same frame may arrive later: after a lost connection, a failing proxy or server, or a rate limit. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof RequestFailure)) return false;
  if (error.code === 0) return error.reason !== "aborted" && error.reason !== "insecure";
  return error.code === codes.slowDown || error.code >= codes.serverError;
}

const waitSchema = v.object({ retry_after: v.pipe(v.number(), v.minValue(0)) });

/** The delay that the server asks for, in milliseconds; at most as long as a frame is useful. */
function waitAskedMs(error: unknown): number {
  const data = v.safeParse(waitSchema, error instanceof RequestFailure ? error.data : null);
  return data.success ? Math.min(data.output.retry_after * 1_000, inspectionLateMs) : 0;
}

/** The size of the whole frame scaled to fit, never enlarged. */
export function fitted(
  width: number,
  height: number,
  { edgePx }: Pick<PictureSize, "edgePx"> = pictureSizes[0],
): { width: number; height: number } {
  const { widthPx, heightPx } = inspectedFrame;
  const scale = Math.min(1, widthPx / width, heightPx / height, edgePx / Math.min(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** A detailed frame that exceeds the server's limit is encoded again with lower quality. */
const tighterQualities = [0.6, 0.35] as const;

/**
 * Captures one frame of a running track as JPEG: uncropped, not mirrored, without smoothing. Resolves to null if the
 * track shows nothing before `signal` aborts.
 */
export async function takePicture(
  track: MediaStreamTrack,
  size: PictureSize,
  signal: AbortSignal,
): Promise<Blob | null> {
  const video = idleVideos.pop() ?? newVideo();
  video.srcObject = new MediaStream([track]);
  try {
    if (!(await untilShown(video, signal))) return null;
    const { width, height } = fitted(video.videoWidth, video.videoHeight, size);
    const qualities = [size.quality, ...tighterQualities];
    const encoded = await encodeInWorker(video, { width, height, qualities, bytesMax: inspectedFrame.bytesMax });
    if (encoded !== undefined) return encoded;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d", { alpha: false });
    if (!context) return null;
    context.imageSmoothingEnabled = false;
    context.drawImage(video, 0, 0, width, height);
    return packed(canvas, qualities);
  } finally {
    video.pause();
    video.srcObject = null;
    idleVideos.push(video);
  }
}

/** The elements of earlier frames, one for each view: iOS has few decoders, and releases them late. */
const idleVideos: HTMLVideoElement[] = [];

function newVideo(): HTMLVideoElement {
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  return video;
}

/** Resolves once the video has its first frame. Uses `loadeddata`, because a hidden page calls no frame callback. */
function untilShown(video: HTMLVideoElement, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const settle = (isShown: boolean) => {
      over.abort();
      resolve(isShown);
    };
    if (signal.aborted) return settle(false);
    video.addEventListener("loadeddata", () => settle(video.videoWidth > 0), { signal: over.signal });
    signal.addEventListener("abort", () => settle(false), { signal: over.signal });
    video.play().catch(() => settle(false));
  });
}

function packed(canvas: HTMLCanvasElement, qualities: readonly number[]): Blob | null {
  for (const quality of qualities) {
    const picture = jpegOf(canvas, quality);
    if (!picture || picture.size <= inspectedFrame.bytesMax) return picture;
  }
  return null;
}

const dataUrlStart = "data:image/jpeg;base64,";

/** Synchronous, because Chromium's `toBlob` and a page's `convertToBlob` wait for idle time, which can take seconds. */
function jpegOf(canvas: HTMLCanvasElement, quality: number): Blob | null {
  const url = canvas.toDataURL("image/jpeg", quality);
  if (!url.startsWith(dataUrlStart)) return null;
  const bytes = Uint8Array.from(atob(url.slice(dataUrlStart.length)), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: "image/jpeg" });
}
