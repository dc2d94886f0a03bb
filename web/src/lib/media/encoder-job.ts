/** A video frame, and the picture that the page wants of it. */
export interface EncoderJob {
  readonly id: number;
  readonly frame: VideoFrame;
  readonly width: number;
  readonly height: number;
  /** Of JPEG, 0 to 1, tried in this order until the picture has at most `bytesMax`. */
  readonly qualities: readonly number[];
  readonly bytesMax: number;
}

/** What a worker sends when it can receive jobs. */
export const encoderReady = "ready";

export interface EncoderAnswer {
  readonly id: number;
  /** Null if even the lowest quality is too large; missing if this browser cannot encode here. */
  readonly picture?: Blob | null;
}
