import { type MessageFromBlur, type MessageToBlur, measuredFrames } from "./blur-messages.ts";

/** A frame that takes longer would make the picture stutter, in milliseconds. */
const frameMsMax = 15;

const measureMsMax = 20_000;
const pingEveryMs = 2_000;
/** A worker that leaves more pings than this without a response has failed. */
const pingsMax = 2;

/** Browsers with tracks whose frames a worker can read and write (source: W3C mediacapture-transform, 2021 draft). */
interface FrameTracks {
  MediaStreamTrackProcessor: new (from: { track: MediaStreamTrack }) => { readable: ReadableStream<VideoFrame> };
  MediaStreamTrackGenerator: new (of: { kind: "video" }) => MediaStreamTrack & { writable: WritableStream<VideoFrame> };
}

/** A camera whose track has a blurred background. */
export interface BlurredCamera {
  readonly track: MediaStreamTrack;
  /** Ends the track, but not the camera. */
  stop(): void;
}

/** Whether this device is fast enough. Rejects if the worker does not load, or does not respond. */
export async function isFastEnough(): Promise<boolean> {
  const worker = newWorker();
  try {
    return isFast(await measured(worker));
  } finally {
    worker.terminate();
  }
}

/** Whether the median of the frame times, in milliseconds, leaves the processor to the call. */
export function isFast(frameMs: readonly number[]): boolean {
  const median = frameMs.toSorted((first, second) => first - second)[Math.floor(measuredFrames / 2)];
  return median !== undefined && median <= frameMsMax;
}

function measured(worker: Worker): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the blur was not measured in time")), measureMsMax);
    listen(worker, (message) => {
      if (message.type === "pong") return;
      clearTimeout(timer);
      if (message.type === "measured") resolve(message.frameMs);
      else reject(new Error(message.why));
    });
    tell(worker, { type: "measure" });
  });
}

/**
 * Starts a worker that blurs the background of a camera. The track has no frame before the first blurred one.
 *
 * @param onFailed is called once if the worker fails; the track has no frames from then on.
 */
export function blurCamera(camera: MediaStreamTrack, onFailed: (why: string) => void): BlurredCamera {
  const { MediaStreamTrackProcessor, MediaStreamTrackGenerator } = globalThis as unknown as FrameTracks;
  const track = new MediaStreamTrackGenerator({ kind: "video" });
  const { readable: frames } = new MediaStreamTrackProcessor({ track: camera });
  const worker = newWorker();
  let pings = 0;
  const stop = () => {
    clearInterval(timer);
    worker.terminate();
    track.stop();
  };
  const fail = (why: string) => {
    stop();
    onFailed(why);
  };
  const timer = setInterval(() => {
    if (pings > pingsMax) return fail("the worker does not respond");
    pings += 1;
    tell(worker, { type: "ping" });
  }, pingEveryMs);
  listen(worker, (message) => {
    if (message.type === "pong") pings = 0;
    else if (message.type === "failed") fail(message.why);
  });
  const { writable: sent } = track;
  const run: MessageToBlur = { type: "run", frames, sent };
  worker.postMessage(run, [frames, sent]);
  return { track, stop };
}

function newWorker(): Worker {
  return new Worker(new URL("./blur-worker.ts", import.meta.url), { type: "module" });
}

function tell(worker: Worker, message: MessageToBlur): void {
  worker.postMessage(message);
}

function listen(worker: Worker, listener: (message: MessageFromBlur) => void): void {
  worker.addEventListener("message", ({ data }: MessageEvent<MessageFromBlur>) => listener(data));
  worker.addEventListener("error", ({ message }) => listener({ type: "failed", why: message }));
}
