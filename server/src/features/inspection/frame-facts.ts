import type { FrameVerdict } from "#ports/frame-classifier.ts";
import type { InspectionSettings } from "./inspection-settings.ts";

/** What the policy makes of one verdict. */
export interface FrameFacts {
  /** Below the unsure score, and bright enough to know. */
  readonly isClean: boolean;
  readonly isDark: boolean;
  /** Good enough to be held against somebody. */
  readonly isUsable: boolean;
  readonly isOver: boolean;
  /** Explicit beyond the sure score, usable, and no drawing. */
  readonly isSure: boolean;
  /** The cheapest model is alarmed, and the others are not. */
  readonly isAlerting: boolean;
}

export function factsOf(verdict: FrameVerdict, settings: InspectionSettings): FrameFacts {
  const { explicit, luma, sharpness, scores } = verdict;
  const isDark = luma < settings.darkLuma;
  const isUsable = !isDark && sharpness >= settings.blurredSharpness;
  const isOver = explicit >= settings.unsureScore;
  const first = scores.mobilenet;
  return {
    isClean: !isOver && !isDark,
    isDark,
    isUsable,
    isOver,
    isSure: isUsable && explicit >= settings.sureScore && !isDrawn(verdict, settings.drawnRatio),
    isAlerting: !isOver && first !== undefined && first.porn + first.hentai >= settings.alertScore,
  };
}

/** Drawings are never acted on live: the models take real photographs for them, and the other way round. */
function isDrawn({ scores }: FrameVerdict, ratio: number): boolean {
  const all = Object.values(scores);
  const sum = (of: "hentai" | "porn") => all.reduce((total, each) => total + each[of], 0);
  return sum("hentai") > ratio * sum("porn");
}

/** Bits in which two perceptual hashes of 16 hex digits differ. */
export function hashDistance(one: string, other: string): number {
  let bits = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  let count = 0;
  for (; bits > 0n; bits &= bits - 1n) count += 1;
  return count;
}
