import { type FrameModel, frameModels, type FrameScores, type FrameVerdict } from "#ports/frame-classifier.ts";
import type { EngineName } from "./engine.ts";

/** What a worker is started with. */
export interface FrameWorkerSetup {
  readonly engines: readonly EngineName[];
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

export type Scores = FrameVerdict["scores"];

/** Below these shares of explicit content the next, more expensive model is not asked. */
interface CascadeThresholds {
  /** Of the first model. */
  readonly first: number;
  /** Of the mean of the first two: from below 0.35 the mean of three cannot reach 0.6. */
  readonly second: number;
}

export const cascadeThresholdsDefault: CascadeThresholds = { first: 0.4, second: 0.35 };

function explicitShare({ porn, hentai }: FrameScores): number {
  return porn + hentai;
}

/** Mean over the models that were asked; 0 before the first. */
export function meanExplicit(scores: Scores): number {
  const shares = frameModels.flatMap((model) => (scores[model] ? [explicitShare(scores[model])] : []));
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

/** The model to ask next, from the cheapest to the dearest, or null when what is known is enough. */
export function nextModel(scores: Scores, depth: "cascade" | "all", thresholds: CascadeThresholds): FrameModel | null {
  if (!scores.mobilenet) return "mobilenet";
  if (depth === "all") return frameModels.find((model) => !scores[model]) ?? null;
  if (!scores.mid) return meanExplicit(scores) < thresholds.first ? null : "mid";
  if (!scores.inception) return meanExplicit(scores) < thresholds.second ? null : "inception";
  return null;
}
