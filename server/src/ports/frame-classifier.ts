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

/** Results of models and measurements for one frame; the inspection policy interprets them. */
export interface FrameVerdict {
  /** Porn and hentai together, 0 to 1: the mean of the one to three models that ran. */
  readonly explicit: number;
  /** Models that ran, cheapest first. */
  readonly scores: { readonly [Model in FrameModel]?: FrameScores };
  /** Mean brightness, 0 to 255. */
  readonly luma: number;
  /** Variance of the Laplacian: low for blurred and flat pictures. */
  readonly sharpness: number;
  /** Perceptual hash, 16 hex digits. */
  readonly phash: string;
  /** Content of a QR code in the picture; null without one, or where codes were not searched. */
  readonly code: string | null;
  /** Processor time that another process used for it, in milliseconds; left out where this one judged. */
  readonly processorMs?: number;
}

/** `cascade` stops at the cheapest model that is sure; `all` runs every model. `codes`: also search for QR codes. */
export interface FrameQuestion {
  readonly depth: "cascade" | "all";
  readonly codes: boolean;
  /** Lower runs first: 0 reported or flagged users, 1 new accounts, 2 all others. */
  readonly priority: 0 | 1 | 2;
}

/** The bytes are not a picture that can be judged: not JPEG or WebP, damaged, or too large. */
export class FrameUnreadableError extends Error {
  override readonly name = "FrameUnreadableError";
}

/** The caller must request less often. */
export class ClassifierBusyError extends Error {
  override readonly name = "ClassifierBusyError";
}

export interface FrameClassifier extends AsyncDisposable {
  /** `marker` is for tests: it reads the verdict from the picture. */
  readonly engine: "onnx-native" | "onnx-wasm" | "marker";
  /** Name and version of the models, recorded with each decision. */
  readonly model: string;
  /** False while it starts, or after it has failed. */
  isReady(): boolean;
  /** Waiting pictures, and the age of the oldest in milliseconds. */
  backlog(): { waiting: number; oldestMs: number };
  /** @throws FrameUnreadableError, ClassifierBusyError */
  classify(picture: Buffer, question: FrameQuestion): Promise<FrameVerdict>;
}
