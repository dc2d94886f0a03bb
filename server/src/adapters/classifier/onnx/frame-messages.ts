import { type FrameModel, frameModels, type FrameScores, type FrameVerdict } from "#ports/frame-classifier.ts";
import type { EngineName } from "./engine.ts";

export interface FrameWorkerSetup {
  readonly engines: readonly EngineName[];
  readonly thresholds: CascadeThresholds;
  /** Only one worker holds the largest model, which needs 200 MB. */
  readonly holdsInception: boolean;
  /** False: no worker opens open_nsfw. */
  readonly holdsOpenNsfw: boolean;
  /** False: no worker opens the face models. */
  readonly holdsFaces: boolean;
}

export interface FrameOrder {
  readonly picture: Uint8Array;
  /** `inception`: only this model, after another worker ran the others. */
  readonly ask: "cascade" | "all" | "inception";
  /**
   * `first`: open_nsfw runs first, and nothing else if it is sure that the picture is clean. `beside`: it runs as well.
   * `none`: only if the cascade reaches its last model. A worker without open_nsfw ignores it.
   */
  readonly openNsfw: "first" | "beside" | "none";
  readonly codes: boolean;
  /** A worker without the face models ignores it. */
  readonly faces: boolean;
}

export type FrameReport =
  | { readonly kind: "ready"; readonly engine: EngineName }
  | { readonly kind: "begun" }
  /** It is loading a large model, which takes longer than any judgement. */
  | { readonly kind: "opening" }
  /** The file of open_nsfw cannot be used: the worker judges without it. */
  | { readonly kind: "withoutOpenNsfw"; readonly reason: string }
  /** A file of the face models cannot be used: the worker estimates no age. */
  | { readonly kind: "withoutFaces"; readonly reason: string }
  /** `wantsInception`: the largest model, which this worker does not hold, must run as well. */
  | { readonly kind: "judged"; readonly verdict: FrameVerdict; readonly wantsInception: boolean }
  | { readonly kind: "unreadable"; readonly reason: string };

export type Scores = FrameVerdict["scores"];

/** Below these probabilities of explicit content the next, more expensive model does not run. */
interface CascadeThresholds {
  readonly first: number;
  /** For the mean of the first two: below 0.35, the mean of three cannot reach 0.6. */
  readonly second: number;
}

/** Below this probability open_nsfw is sure that a picture is clean (Yahoo's own advice). */
export const openNsfwCleanScore = 0.2;

export const cascadeThresholdsDefault: CascadeThresholds = { first: 0.4, second: 0.35 };

function explicitShare({ porn, hentai }: FrameScores): number {
  return porn + hentai;
}

/** Mean over the models that ran; 0 for none. */
export function meanExplicit(scores: Scores): number {
  const shares = frameModels.flatMap((model) => (scores[model] ? [explicitShare(scores[model])] : []));
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

/** The next model to run, cheapest first; null when the result is certain enough. */
export function nextModel(scores: Scores, depth: "cascade" | "all", thresholds: CascadeThresholds): FrameModel | null {
  if (!scores.mobilenet) return "mobilenet";
  if (depth === "all") return frameModels.find((model) => !scores[model]) ?? null;
  if (!scores.mid) return meanExplicit(scores) < thresholds.first ? null : "mid";
  if (!scores.inception) return meanExplicit(scores) < thresholds.second ? null : "inception";
  return null;
}
