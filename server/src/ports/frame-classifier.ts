/** Probabilities of the five classes, 0 to 1; their sum is 1. */
export interface FrameScores {
  readonly drawing: number;
  readonly hentai: number;
  readonly neutral: number;
  readonly porn: number;
  readonly sexy: number;
}

export const frameModels = ["mobilenet", "mid", "inception"] as const;
export type FrameModel = (typeof frameModels)[number];

/** The largest face of a frame, if it is large enough for an estimate. */
export interface FaceEstimate {
  /** Estimated age in years, 0 to 80. One frame may be wrong by eight years. */
  readonly years: number;
  /** Probability that the age is below 18, 0 to 1. */
  readonly under18: number;
  /** Mean brightness of the face, 0 to 255. */
  readonly luma: number;
}

/** What the face models found in a frame. */
export interface FaceHint {
  /** How surely a face is in the frame, 0 to 1. */
  readonly presence: number;
  /** Null without a face that has a quarter of the frame's height. */
  readonly face: FaceEstimate | null;
}

/** Results of models and measurements for one frame; the inspection policy interprets them. */
export interface FrameVerdict {
  /** Porn and hentai together, 0 to 1: the mean of the models of `scores` (up to three); 0 for none. */
  readonly explicit: number;
  /** Models that ran, cheapest first. */
  readonly scores: { readonly [Model in FrameModel]?: FrameScores };
  /** The probability of explicit content by open_nsfw, a model of another family, 0 to 1, if it ran. */
  readonly openNsfw?: number;
  /** Only if faces were asked for, and the face models could be opened. */
  readonly faces?: FaceHint;
  /** Mean brightness, 0 to 255. */
  readonly luma: number;
  /** Variance of the Laplacian: low for blurred and flat pictures. */
  readonly sharpness: number;
  /** Perceptual hash, 16 hex digits. */
  readonly phash: string;
  /** Width divided by height. */
  readonly aspect?: number;
  /** Content of a QR code in the picture; null if there is none or codes were not searched. */
  readonly code: string | null;
  /** Processor time in milliseconds, if another process judged the frame. */
  readonly processorMs?: number;
}

/** `cascade`: stop at the cheapest model that is sure. `all`: run every model. `codes`: also search for QR codes. */
export interface FrameQuestion {
  readonly depth: "cascade" | "all";
  readonly codes: boolean;
  /** Whether to look for a face and to estimate its age; false by default. */
  readonly faces?: boolean;
  /** Lower numbers run first: 0 for reported or flagged users, 1 for new accounts, 2 for all others. */
  readonly priority: 0 | 1 | 2;
}

/** The bytes are no picture that the models can judge: neither JPEG nor WebP, damaged, or too large. */
export class FrameUnreadableError extends Error {
  override readonly name = "FrameUnreadableError";
}

/** Too many frames wait. The caller must send fewer. */
export class ClassifierBusyError extends Error {
  override readonly name = "ClassifierBusyError";
}

export interface FrameClassifier extends AsyncDisposable {
  /** `marker`: for tests, reads the verdict from the picture. */
  readonly engine: "onnx-native" | "onnx-wasm" | "marker";
  /** Name and version of the models, which each decision records. */
  readonly model: string;
  /** False while the models load, or after they failed. */
  isReady(): boolean;
  /** Number of waiting frames, and the age of the oldest in milliseconds. */
  backlog(): { waiting: number; oldestMs: number };
  /** @throws FrameUnreadableError, ClassifierBusyError */
  classify(picture: Buffer, question: FrameQuestion): Promise<FrameVerdict>;
}
