/** Messages to the worker that blurs the background. */
export type MessageToBlur =
  /** Measures how long a frame takes. */
  | { type: "measure" }
  /** Blurs the frames of a camera until they end. */
  | { type: "run"; frames: ReadableStream<VideoFrame>; sent: WritableStream<VideoFrame> }
  /** The worker responds unless it hangs or is gone. */
  | { type: "ping" };

export type MessageFromBlur =
  /** How long each of `measuredFrames` frames took, in milliseconds. */
  { type: "measured"; frameMs: readonly number[] } | { type: "pong" } | { type: "failed"; why: string };

export const measuredFrames = 15;
