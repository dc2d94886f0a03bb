import { inspectedFrame, inspectionTicketMs } from "@fava/wire/limits.ts";

/** What the server asks for: one picture of one view, at a moment of its choice. */
export interface FrameAsked {
  readonly roomId: string;
  readonly ticket: string;
  readonly view: "own" | "received";
  readonly dueInMs: number;
}

export interface FrameSamplerOptions {
  /** The track that the view shows now; null while there is none, or nothing of it is to be seen. */
  trackOf(asked: FrameAsked): MediaStreamTrack | null;
  /** Null: no picture could be taken in time. */
  take(track: MediaStreamTrack, signal: AbortSignal): Promise<Blob | null>;
  /** Sends a picture; its failure is not told, since the server asks again. */
  send(asked: FrameAsked, picture: Blob, signal: AbortSignal): Promise<void>;
  /** A hidden page's timers come late, so that it takes its picture at once. */
  isHidden(): boolean;
}

interface View {
  /** Only while a picture is waited for. */
  timer: ReturnType<typeof setTimeout> | undefined;
  /** What falls due while another picture is on its way; the newest alone. */
  next: FrameAsked | null;
  busy: boolean;
}

/**
 * Takes the pictures that the server asks for and sends them (rule SAFE-202): one on its way for each view, and of those
 * that fall due meanwhile the newest.
 */
export class FrameSampler {
  readonly #options: FrameSamplerOptions;
  readonly #views: Readonly<Record<FrameAsked["view"], View>> = {
    own: { timer: undefined, next: null, busy: false },
    received: { timer: undefined, next: null, busy: false },
  };
  #owner = new AbortController();

  constructor(options: FrameSamplerOptions) {
    this.#options = options;
  }

  /** Takes the picture when it is due; one that is asked for before it was taken takes its place. */
  ask(asked: FrameAsked): void {
    const view = this.#views[asked.view];
    clearTimeout(view.timer);
    if (asked.dueInMs <= 0 || this.#options.isHidden()) return this.#due(asked);
    view.timer = setTimeout(() => this.#due(asked), asked.dueInMs);
  }

  /** Forgets whatever is asked for and on its way: the call is over. */
  stop(): void {
    this.#owner.abort();
    this.#owner = new AbortController();
    for (const view of Object.values(this.#views)) {
      clearTimeout(view.timer);
      view.next = null;
    }
  }

  #due(asked: FrameAsked): void {
    const view = this.#views[asked.view];
    view.next = asked;
    if (!view.busy) void this.#work(view);
  }

  async #work(view: View): Promise<void> {
    view.busy = true;
    try {
      for (let asked = view.next; asked; asked = view.next) {
        view.next = null;
        await this.#answer(asked, AbortSignal.any([this.#owner.signal, AbortSignal.timeout(inspectionTicketMs)]));
      }
    } finally {
      view.busy = false;
    }
  }

  async #answer(asked: FrameAsked, signal: AbortSignal): Promise<void> {
    const track = this.#options.trackOf(asked);
    if (!track) return;
    try {
      const picture = await this.#options.take(track, signal);
      if (picture && !signal.aborted) await this.#options.send(asked, picture, signal);
    } catch (error) {
      console.info("no picture sent", error);
    }
  }
}

/** Size of a picture that fits into the asked one as a whole, enlarged by nothing. */
export function fitted(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, inspectedFrame.widthPx / width, inspectedFrame.heightPx / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** A busy picture that is larger than the server takes is packed again, tighter. */
const qualities = [inspectedFrame.quality, 0.6, 0.35] as const;

/**
 * One picture of a running track as JPEG: the whole of it, not mirrored, without smoothing. Null when the track shows
 * nothing before `signal` is aborted.
 */
export async function takePicture(track: MediaStreamTrack, signal: AbortSignal): Promise<Blob | null> {
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.srcObject = new MediaStream([track]);
  try {
    if (!(await untilShown(video, signal))) return null;
    const { width, height } = fitted(video.videoWidth, video.videoHeight);
    const canvas = surface(width, height);
    const context = canvas.getContext("2d", { alpha: false }) as CanvasDrawing | null;
    if (!context) return null;
    context.imageSmoothingEnabled = false;
    context.drawImage(video, 0, 0, width, height);
    return await packed(canvas);
  } finally {
    video.pause();
    video.srcObject = null;
  }
}

type Surface = HTMLCanvasElement | OffscreenCanvas;
type CanvasDrawing = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

function surface(width: number, height: number): Surface {
  if (typeof OffscreenCanvas !== "undefined") return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement("canvas"), { width, height });
}

/** By the event and not by a frame callback: a hidden page has no frames. */
function untilShown(video: HTMLVideoElement, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    video.addEventListener("loadeddata", () => resolve(video.videoWidth > 0), { once: true });
    signal.addEventListener("abort", () => resolve(false), { once: true });
    video.play().catch(() => resolve(false));
  });
}

async function packed(canvas: Surface): Promise<Blob | null> {
  for (const quality of qualities) {
    const picture = await jpegOf(canvas, quality);
    if (!picture || picture.size <= inspectedFrame.bytesMax) return picture;
  }
  return null;
}

function jpegOf(canvas: Surface, quality: number): Promise<Blob | null> {
  const type = "image/jpeg";
  if (!(canvas instanceof HTMLCanvasElement)) return canvas.convertToBlob({ type, quality });
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}
