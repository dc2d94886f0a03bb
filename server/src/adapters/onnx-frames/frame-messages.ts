import type { FrameModel, FrameVerdict } from "#ports/frame-classifier.ts";
import type { CascadeThresholds } from "./cascade.ts";
import type { EngineName } from "./engine.ts";

/** What a worker is started with. */
export interface FrameWorkerSetup {
  readonly engines: readonly EngineName[];
  readonly files: Readonly<Record<FrameModel, string>>;
  readonly thresholds: CascadeThresholds;
  /** Only one worker holds the largest model: it takes 200 MB. */
  readonly holdsInception: boolean;
}

/** One picture to judge; a worker gets the next one when it has answered. */
export interface FrameOrder {
  readonly picture: Uint8Array;
  /** `inception`: that model alone, where the others were asked in another worker. */
  readonly ask: "cascade" | "all" | "inception";
  readonly codes: boolean;
}

/** What a worker says. */
export type FrameReport =
  | { readonly kind: "ready"; readonly engine: EngineName }
  /** It has a picture and judges it from now on. */
  | { readonly kind: "begun" }
  /** It reads a large model, which takes longer than any judgement. */
  | { readonly kind: "opening" }
  /** `wantsInception`: the model that this worker does not hold is to be asked too. */
  | { readonly kind: "judged"; readonly verdict: FrameVerdict; readonly wantsInception: boolean }
  | { readonly kind: "unreadable"; readonly reason: string };
