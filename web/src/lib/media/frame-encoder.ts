import { whenIdle } from "#lib/when-idle.ts";
import { type EncoderAnswer, type EncoderJob, encoderReady } from "./encoder-job.ts";

/** A worker that needs longer may wait for an idle page: the page then encodes the frame itself. */
const answerMsMax = 1_500;

export type EncodingRequest = Omit<EncoderJob, "id" | "frame">;

/** A worker that encodes video frames as JPEG, so that the page's main thread does not. */
class FrameEncoder {
  readonly #worker = new Worker(new URL("../../../worker/frame-encoder.ts", import.meta.url), { type: "module" });
  readonly #waiting = new Map<number, (picture: Blob | null | undefined) => void>();
  #jobs = 0;
  isReady = false;

  constructor() {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<EncoderAnswer | typeof encoderReady>) => {
      if (data === encoderReady) this.isReady = true;
      else this.#waiting.get(data.id)?.(data.picture);
    });
    this.#worker.addEventListener("error", (event) => {
      console.info("no worker for frames", event.message);
      encoder = null;
      for (const settle of this.#waiting.values()) settle(undefined);
      this.#worker.terminate();
    });
  }

  /** Resolves to undefined if the worker could not do it in time. */
  encode(frame: VideoFrame, request: EncodingRequest): Promise<Blob | null | undefined> {
    this.#jobs += 1;
    const id = this.#jobs;
    return new Promise((resolve) => {
      const settle = (picture: Blob | null | undefined) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(picture);
      };
      const timer = setTimeout(() => settle(undefined), answerMsMax);
      this.#waiting.set(id, settle);
      this.#worker.postMessage({ ...request, id, frame } satisfies EncoderJob, [frame]);
    });
  }
}

/** Undefined: not started yet; null: this browser has none. */
let encoder: FrameEncoder | null | undefined;

function start(): void {
  if (encoder !== undefined) return;
  try {
    encoder = new FrameEncoder();
  } catch (error) {
    console.info("no worker for frames", error);
    encoder = null;
  }
}

/**
 * Encodes the present frame of a playing video in a worker. Null if even the lowest quality is too large; undefined if
 * this browser cannot, and the page has to. No frame waits for the worker's start, which begins when the page is idle.
 */
export async function encodeInWorker(
  video: HTMLVideoElement,
  request: EncodingRequest,
): Promise<Blob | null | undefined> {
  if (encoder === null || !("VideoFrame" in window) || !("OffscreenCanvas" in window)) return undefined;
  if (!encoder) whenIdle(start);
  if (!encoder?.isReady) return undefined;
  try {
    const frame = new VideoFrame(video);
    // A turned frame, which the worker might not turn.
    if (frame.displayWidth !== video.videoWidth || frame.displayHeight !== video.videoHeight) {
      frame.close();
      return undefined;
    }
    return await encoder.encode(frame, request);
  } catch (error) {
    console.info("no frame for the worker", error);
    encoder = null;
    return undefined;
  }
}
