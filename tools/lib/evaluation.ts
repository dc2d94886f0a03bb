// How well the inspection of calls judges labelled pictures, from the scores of its models.
import {
  cascadeThresholdsDefault,
  meanExplicit,
  nextModel,
  type Scores,
} from "@fava/server/adapters/classifier/onnx/frame-messages.ts";
import { factsOf } from "@fava/server/calls/frame-facts.ts";
import { inspectionSettingsDefault } from "@fava/server/calls/inspection-settings.ts";
import { totalByTwoLookers } from "@fava/server/lib/proportions.ts";
import type { DecidedFrame } from "@fava/server/moderation/decided-frames.ts";
import type { FrameVerdict } from "@fava/server/ports/frame-classifier.ts";

/** What a person saw in a picture. Only the first one is to be found; the others are not. */
export const labels = ["explicit", "suggestive", "clean", "minor", "adult", "empty", "loop"] as const;
export type Label = (typeof labels)[number];

export interface ScoredPicture {
  readonly label: Label;
  /** Further properties by name, such as `light: dark`. */
  readonly groups: Readonly<Record<string, string>>;
  /** With the scores of all models. */
  readonly verdict: Pick<FrameVerdict, "scores" | "openNsfw" | "luma" | "sharpness">;
}

/** Thresholds of the cascade and of the inspection's settings, from which proposed settings may differ. */
export const thresholdsDefault = {
  cascadeFirst: cascadeThresholdsDefault.first,
  cascadeSecond: cascadeThresholdsDefault.second,
  unsureScore: inspectionSettingsDefault.unsureScore,
  sureScore: inspectionSettingsDefault.sureScore,
  darkLuma: inspectionSettingsDefault.darkLuma,
  blurredSharpness: inspectionSettingsDefault.blurredSharpness,
  drawnRatio: inspectionSettingsDefault.drawnRatio,
  openNsfwHidesScore: inspectionSettingsDefault.openNsfwHidesScore,
};
export type Thresholds = Readonly<typeof thresholdsDefault>;

/** Evidence keeps no brightness and no sharpness: its frames count as bright and sharp. */
const brightAndSharp = { luma: 255, sharpness: Number.MAX_SAFE_INTEGER };

/** One picture for each case: its frame with the highest mean score. The moderator's decision is its label. */
export function picturesOfCases(frames: readonly DecidedFrame[]): readonly ScoredPicture[] {
  const highest = new Map<bigint, DecidedFrame>();
  for (const frame of frames) {
    const before = highest.get(frame.caseId);
    if (!before || meanExplicit(frame.scores) > meanExplicit(before.scores)) highest.set(frame.caseId, frame);
  }
  return [...highest.values()].map(({ rule, isConfirmed, scores, openNsfw }) => ({
    label: isConfirmed ? "explicit" : "clean",
    groups: { rule },
    verdict: { scores, ...(openNsfw !== undefined && { openNsfw }), ...brightAndSharp },
  }));
}

/**
 * Rules of one frame: `hides` covers the video, `sure` is one of the frames that suspend a user, both by the nsfwjs
 * models; `open_nsfw` is the other family alone.
 */
export const rules = ["hides", "sure", "open_nsfw"] as const;
export type Rule = (typeof rules)[number];

interface Outcome extends Readonly<Record<Rule, boolean>> {
  /** The cascade's score, 0 to 1. */
  readonly score: number;
}

/** The outcome of one frame in a call with these thresholds. The cascade asks only the models that it needs. */
export function outcomeOf(
  { scores, openNsfw = 0, ...measured }: ScoredPicture["verdict"],
  thresholds: Thresholds,
): Outcome {
  const { cascadeFirst: first, cascadeSecond: second, ...settings } = thresholds;
  let asked: Scores = {};
  for (;;) {
    const model = nextModel(asked, "cascade", { first, second });
    const answer = model && scores[model];
    if (!answer) break;
    asked = { ...asked, [model]: answer };
  }
  const score = meanExplicit(asked);
  const verdict = { ...measured, scores: asked, explicit: score, phash: "", code: null };
  const { isOver, isSure } = factsOf(verdict, { ...inspectionSettingsDefault, ...settings });
  return { score, hides: isOver, sure: isSure, open_nsfw: openNsfw >= settings.openNsfwHidesScore };
}

/** A share with its interval of 95 % (Wilson 1927); null shares for no pictures. */
export interface Rate {
  readonly hits: number;
  readonly of: number;
  readonly share: number | null;
  readonly low: number;
  readonly high: number;
}

const z95 = 1.959_964;

export function rateOf(hits: number, of: number): Rate {
  if (of === 0) return { hits, of, share: null, low: 0, high: 1 };
  const share = hits / of;
  const middle = share + z95 ** 2 / (2 * of);
  const width = z95 * Math.sqrt((share * (1 - share)) / of + z95 ** 2 / (4 * of ** 2));
  const scale = 1 + z95 ** 2 / of;
  return { hits, of, share, low: Math.max(0, (middle - width) / scale), high: Math.min(1, (middle + width) / scale) };
}

/** How often a rule applies to explicit pictures, and to all others. */
export interface Quality {
  readonly recall: Rate;
  readonly falseAlarms: Rate;
}

export function qualityOf(pictures: readonly ScoredPicture[], rule: Rule, thresholds: Thresholds): Quality {
  const rate = (some: readonly ScoredPicture[]) =>
    rateOf(some.filter(({ verdict }) => outcomeOf(verdict, thresholds)[rule]).length, some.length);
  return {
    recall: rate(pictures.filter(({ label }) => label === "explicit")),
    falseAlarms: rate(pictures.filter(({ label }) => label !== "explicit")),
  };
}

/**
 * The share of explicit pictures among those to which the rule applies, if this share of all pictures is explicit; null
 * if the rule applies to none. Its interval combines the ends of both rates.
 */
export function precisionAt(
  prevalence: number,
  { recall, falseAlarms }: Quality,
): Record<"share" | "low" | "high", number | null> {
  const precision = (found: number | null, wrong: number | null) => {
    if (found === null || wrong === null) return null;
    const right = found * prevalence;
    const all = right + wrong * (1 - prevalence);
    return all === 0 ? null : right / all;
  };
  return {
    share: precision(recall.share, falseAlarms.share),
    low: precision(recall.low, falseAlarms.high),
    high: precision(recall.high, falseAlarms.low),
  };
}

export interface OperatingPoint {
  /** The least score that flags a picture. */
  readonly threshold: number;
  readonly recall: Rate;
  readonly falseAlarms: Rate;
}

/** The ROC curve: an operating point at each score that occurs, from the highest, and the area under it, 0 to 1. */
export function rocOf(pictures: readonly ScoredPicture[]): {
  readonly points: readonly OperatingPoint[];
  readonly area: number | null;
} {
  const scored = pictures
    .map(({ label, verdict }) => ({ isExplicit: label === "explicit", ...outcomeOf(verdict, thresholdsDefault) }))
    .toSorted((one, other) => other.score - one.score);
  const positives = scored.filter(({ isExplicit }) => isExplicit).length;
  const negatives = scored.length - positives;
  const points: OperatingPoint[] = [];
  let [found, wrong, area] = [0, 0, 0];
  for (let index = 0; index < scored.length;) {
    const threshold = scored[index]!.score;
    const [foundBefore, wrongBefore] = [found, wrong];
    for (; scored[index]?.score === threshold; index += 1) {
      if (scored[index]!.isExplicit) found += 1;
      else wrong += 1;
    }
    area += ((wrong - wrongBefore) * (found + foundBefore)) / 2;
    points.push({ threshold, recall: rateOf(found, positives), falseAlarms: rateOf(wrong, negatives) });
  }
  return { points, area: positives * negatives === 0 ? null : area / (positives * negatives) };
}

/** The point that finds most with at most this share of false alarms; null if even the highest score has more. */
export function pointFor(points: readonly OperatingPoint[], falseAlarmsMax: number): OperatingPoint | null {
  return points.findLast(({ falseAlarms }) => (falseAlarms.share ?? 1) <= falseAlarmsMax) ?? null;
}

export interface Comparison {
  readonly today: Quality;
  readonly proposed: Quality;
  /** Pictures that the rule judges differently: explicit ones and others. */
  readonly changed: Readonly<Record<"explicit" | "other", { today: number; proposed: number; p: number }>>;
  /** Its share is outside of today's interval, on the worse side. */
  readonly isWorse: boolean;
}

/** Compares a rule under both thresholds on the same pictures, with McNemar's exact test. */
export function compare(pictures: readonly ScoredPicture[], rule: Rule, proposedThresholds: Thresholds): Comparison {
  const today = qualityOf(pictures, rule, thresholdsDefault);
  const proposed = qualityOf(pictures, rule, proposedThresholds);
  const changes = (isExplicit: boolean) => {
    const pairs = pictures
      .filter(({ label }) => (label === "explicit") === isExplicit)
      .map(({ verdict }) => [
        outcomeOf(verdict, thresholdsDefault)[rule],
        outcomeOf(verdict, proposedThresholds)[rule],
      ]);
    const onlyToday = pairs.filter(([before, after]) => before && !after).length;
    const onlyProposed = pairs.filter(([before, after]) => !before && after).length;
    return { today: onlyToday, proposed: onlyProposed, p: mcnemarP(onlyToday, onlyProposed) };
  };
  const isWorse =
    (proposed.recall.share !== null && proposed.recall.share < today.recall.low) ||
    (proposed.falseAlarms.share !== null && proposed.falseAlarms.share > today.falseAlarms.high);
  return { today, proposed, changed: { explicit: changes(true), other: changes(false) }, isWorse };
}

export interface TwoFamilies {
  /** Of what open_nsfw found, the share that the nsfwjs models found as well, and the reverse: upper bounds of recall. */
  readonly nsfwjs: Rate;
  readonly openNsfw: Rate;
  /** How many explicit pictures there are, found or not (Chapman 1951). */
  readonly all: number;
}

/** Estimates recall from confirmed pictures alone, as if both families missed independently. */
export function compareFamilies(pictures: readonly ScoredPicture[]): TwoFamilies {
  const outcomes = pictures
    .filter(({ label, verdict }) => label === "explicit" && verdict.openNsfw !== undefined)
    .map(({ verdict }) => outcomeOf(verdict, thresholdsDefault));
  const first = outcomes.filter(({ hides }) => hides).length;
  const second = outcomes.filter(({ open_nsfw }) => open_nsfw).length;
  const both = outcomes.filter(({ hides, open_nsfw }) => hides && open_nsfw).length;
  return {
    nsfwjs: rateOf(both, second),
    openNsfw: rateOf(both, first),
    all: totalByTwoLookers({ first, second, both }),
  };
}

/**
 * McNemar's exact test, two-sided: the probability of a difference at least this large if both rules were equally good.
 */
export function mcnemarP(onlyOne: number, onlyOther: number): number {
  const trials = onlyOne + onlyOther;
  let logTerm = -trials * Math.LN2;
  let sum = 0;
  for (let hits = 0; hits <= Math.min(onlyOne, onlyOther); hits += 1) {
    sum += Math.exp(logTerm);
    logTerm += Math.log(trials - hits) - Math.log(hits + 1);
  }
  return Math.min(1, 2 * sum);
}
