import type { FrameVerdict } from "#ports/frame-classifier.ts";
import type { InspectionSettings } from "./inspection-settings.ts";

/** What the policy derives from one verdict. */
export interface FrameFacts {
  /** Below the unsure score, and bright enough to judge. */
  readonly isClean: boolean;
  readonly isDark: boolean;
  /** Sharp and bright enough to count against the user. */
  readonly isUsable: boolean;
  readonly isOver: boolean;
  /** Above the sure score, usable, no drawing, and confirmed by open_nsfw if that decides. */
  readonly isSure: boolean;
  /** The cheapest model is above the alert score, but the verdict is below the unsure score. */
  readonly isAlerting: boolean;
}

export function factsOf(verdict: FrameVerdict, settings: InspectionSettings): FrameFacts {
  const { explicit, luma, sharpness, scores } = verdict;
  const isDark = luma < settings.darkLuma;
  const isUsable = !isDark && sharpness >= settings.blurredSharpness;
  const second = settings.openNsfwDecides ? (verdict.openNsfw ?? 0) : null;
  const isOver =
    explicit >= settings.unsureScore || (isUsable && second !== null && second >= settings.openNsfwHidesScore);
  const isConfirmed = second === null || second >= settings.openNsfwAgreesScore;
  const first = scores.mobilenet;
  return {
    isClean: !isOver && !isDark,
    isDark,
    isUsable,
    isOver,
    isSure: isUsable && explicit >= settings.sureScore && isConfirmed && !isDrawn(verdict, settings.drawnRatio),
    isAlerting: !isOver && first !== undefined && first.porn + first.hentai >= settings.alertScore,
  };
}

/** Whether the verdict allows the video to be shown. */
export function passes(verdict: FrameVerdict, settings: InspectionSettings): boolean {
  return factsOf(verdict, settings).isClean && verdict.code === null;
}

/** Whether the verdict shows the video and no model flags it, open_nsfw included, whether or not that decides. */
export function isUnflagged(verdict: FrameVerdict, settings: InspectionSettings): boolean {
  return passes(verdict, settings) && (verdict.openNsfw ?? 0) < settings.openNsfwHidesScore;
}

/** Drawings have no consequence during a call, since the models confuse drawings with photographs. */
function isDrawn({ scores }: FrameVerdict, ratio: number): boolean {
  const all = Object.values(scores);
  const sum = (of: "hentai" | "porn") => all.reduce((total, each) => total + each[of], 0);
  return sum("hentai") > ratio * sum("porn");
}
