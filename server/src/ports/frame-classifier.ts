/** Shares of the five classes, 0 to 1, which add up to 1. */
export interface FrameScores {
  readonly drawing: number;
  readonly hentai: number;
  readonly neutral: number;
  readonly porn: number;
  readonly sexy: number;
}

export const frameModels = ["mobilenet", "mid", "inception"] as const;
export type FrameModel = (typeof frameModels)[number];

/** What the models and measurements say of one picture. What follows from it is the policy's. */
export interface FrameVerdict {
  /** Porn and hentai together, 0 to 1: the mean of the models that were asked, one to three of them. */
  readonly explicit: number;
  /** Models that were asked, the cheapest first. */
  readonly scores: { readonly [Model in FrameModel]?: FrameScores };
  /** Mean brightness, 0 to 255. */
  readonly luma: number;
  /** Variance of the Laplacian: low for blurred and for flat pictures. */
  readonly sharpness: number;
  /** Perceptual hash, 16 hex digits. */
  readonly phash: string;
  /** What a code in the picture says; null without one, or where codes were not looked for. */
  readonly code: string | null;
  /** Milliseconds of a processor that another process took for it; left out where this one judged. */
  readonly processorMs?: number;
}

/** `cascade` stops at the cheapest model that is sure; `all` asks every model. `codes`: look for QR codes as well. */
export interface FrameQuestion {
  readonly depth: "cascade" | "all";
  readonly codes: boolean;
  /** Lower goes first: 0 reported or flagged, 1 new accounts, 2 everybody else. */
  readonly priority: 0 | 1 | 2;
}

/** The bytes are no picture that can be judged: not JPEG or WebP, damaged, or too large. */
export class FrameUnreadableError extends Error {
  override readonly name = "FrameUnreadableError";
}

/** Too much waits already; the caller asks less often. */
export class ClassifierBusyError extends Error {
  override readonly name = "ClassifierBusyError";
}

/** Software that looks at pictures of calls and profiles. */
export interface FrameClassifier extends AsyncDisposable {
  /** `marker` is for tests: it reads its answer off the picture. */
  readonly engine: "onnx-native" | "onnx-wasm" | "marker";
  /** Name and version of the models, for the record of each decision. */
  readonly model: string;
  /** False while it cannot judge: it starts, or has failed. */
  isReady(): boolean;
  /** Pictures that wait, and how long the oldest has waited in milliseconds. */
  backlog(): { waiting: number; oldestMs: number };
  /**
   * Judges one picture.
   *
   * @throws FrameUnreadableError, ClassifierBusyError
   */
  classify(picture: Buffer, question: FrameQuestion): Promise<FrameVerdict>;
}
