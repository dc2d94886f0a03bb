import {
  type Comparison,
  compare,
  compareFamilies,
  labels,
  pointFor,
  precisionAt,
  qualityOf,
  type Rate,
  rateOf,
  rocOf,
  type Rule,
  rules,
  type ScoredPicture,
  type Thresholds,
  thresholdsDefault,
  outcomeOf,
} from "./evaluation.ts";

interface ReportOptions {
  readonly pictures: readonly ScoredPicture[];
  /** Share of explicit pictures among all, 0 to 1, for the precision. */
  readonly prevalence: number;
  /** Thresholds to compare with the present ones; null for none. */
  readonly proposed: Thresholds | null;
}

/** Shares of false alarms for which the report names a threshold. */
const falseAlarmShares = [0.001, 0.005, 0.01] as const;

/** The lines of a report about labelled pictures, and whether a proposed rule is worse. */
export function evaluationReport({ pictures, prevalence, proposed }: ReportOptions): {
  readonly lines: readonly string[];
  readonly isWorse: boolean;
} {
  const comparisons = rules.map((rule) => ({ rule, comparison: proposed && compare(pictures, rule, proposed) }));
  return {
    lines: [
      "Intervals are of 95 % (Wilson).",
      ...byLabel(pictures),
      ...byGroup(pictures),
      ...rules.flatMap((rule) => ruleLines(pictures, rule, prevalence)),
      ...rocLines(pictures),
      ...comparisons.flatMap(({ rule, comparison }) => (comparison ? comparisonLines(rule, comparison) : [])),
    ],
    isWorse: comparisons.some(({ comparison }) => comparison?.isWorse),
  };
}

/**
 * The lines of a report about decided cases: of the pictures that software flagged, how many a moderator confirmed. Says
 * nothing about recall, because a case exists only where something was noticed.
 */
export function casesReport(pictures: readonly ScoredPicture[], proposed: Thresholds | null): readonly string[] {
  const confirmed = (some: readonly ScoredPicture[]) =>
    said(rateOf(some.filter(({ label }) => label === "explicit").length, some.length));
  const flagged = (rule: Rule, thresholds: Thresholds) =>
    pictures.filter(({ verdict }) => outcomeOf(verdict, thresholds)[rule]);
  return [
    "Intervals are of 95 % (Wilson). Recall cannot be known from cases: they contain only what was noticed.",
    `decided cases with scores: ${pictures.length}, confirmed ${confirmed(pictures)}`,
    ...groupsOf(pictures).map(([group, some]) => `  ${group}: confirmed ${confirmed(some)}`),
    ...rules.map((rule) => `${rule}: confirmed ${confirmed(flagged(rule, thresholdsDefault))}`),
    ...familyLines(pictures),
    ...(proposed ? rules.map((rule) => `${rule}, proposed: confirmed ${confirmed(flagged(rule, proposed))}`) : []),
  ];
}

function familyLines(pictures: readonly ScoredPicture[]): string[] {
  const { nsfwjs, openNsfw, all } = compareFamilies(pictures);
  return [
    "Of confirmed cases that both families judged; upper bounds, since both may miss the same pictures:",
    `  nsfwjs found ${said(nsfwjs)} of what open_nsfw found`,
    `  open_nsfw found ${said(openNsfw)} of what nsfwjs found`,
    `  estimated number of all such cases: ${Math.round(all)}`,
  ];
}

function byLabel(pictures: readonly ScoredPicture[]): string[] {
  return labels.flatMap((label) => {
    const some = pictures.filter((picture) => picture.label === label);
    if (some.length === 0) return [];
    const applied = rules.map((rule) => `${rule} ${said(appliedRate(some, rule))}`);
    return [`${label}: ${countOf(some)}, ${applied.join(", ")}`];
  });
}

function countOf({ length }: readonly ScoredPicture[]): string {
  return `${length} ${length === 1 ? "picture" : "pictures"}`;
}

function appliedRate(some: readonly ScoredPicture[], rule: Rule): Rate {
  return rateOf(some.filter(({ verdict }) => outcomeOf(verdict, thresholdsDefault)[rule]).length, some.length);
}

function byGroup(pictures: readonly ScoredPicture[]): string[] {
  return groupsOf(pictures).map(([group, some]) => {
    const { recall, falseAlarms } = qualityOf(some, "hides", thresholdsDefault);
    return `  ${group}: ${countOf(some)}, hides: recall ${said(recall)}, false alarms ${said(falseAlarms)}`;
  });
}

function groupsOf(pictures: readonly ScoredPicture[]): [string, ScoredPicture[]][] {
  const groups = new Map<string, ScoredPicture[]>();
  for (const picture of pictures) {
    for (const [name, value] of Object.entries(picture.groups)) {
      const group = `${name} ${value}`;
      groups.set(group, [...(groups.get(group) ?? []), picture]);
    }
  }
  return [...groups].toSorted(([one], [other]) => one.localeCompare(other));
}

function ruleLines(pictures: readonly ScoredPicture[], rule: Rule, prevalence: number): string[] {
  const quality = qualityOf(pictures, rule, thresholdsDefault);
  const { share, low, high } = precisionAt(prevalence, quality);
  return [
    `${rule}: recall ${said(quality.recall)}`,
    `${rule}: false alarms ${said(quality.falseAlarms)}`,
    `${rule}: precision where ${percent(prevalence)} of pictures are explicit: ${percent(share)} (${percent(low)} to ${percent(high)})`,
  ];
}

function rocLines(pictures: readonly ScoredPicture[]): string[] {
  const { points, area } = rocOf(pictures);
  if (area === null) return ["ROC: needs explicit and other pictures"];
  const negatives = pictures.filter(({ label }) => label !== "explicit").length;
  return [
    `ROC: area ${area.toFixed(4)}`,
    ...falseAlarmShares.map((share) => {
      if (negatives * share < 1) return `  at most ${percent(share)} false alarms: needs ${1 / share} other pictures`;
      const point = pointFor(points, share);
      if (!point) return `  at most ${percent(share)} false alarms: no threshold`;
      return `  at most ${percent(share)} false alarms: threshold ${point.threshold.toFixed(3)}, recall ${said(point.recall)}`;
    }),
  ];
}

function comparisonLines(rule: Rule, { proposed, changed, isWorse }: Comparison): string[] {
  return [
    `${rule}, proposed: recall ${said(proposed.recall)}, false alarms ${said(proposed.falseAlarms)}`,
    ...(["explicit", "other"] as const).map((kind) => {
      const { today, proposed: after, p } = changed[kind];
      return `  ${kind} pictures flagged only today ${today}, only by the proposal ${after}, p = ${p.toPrecision(2)} (McNemar)`;
    }),
    `  ${isWorse ? "WORSE: outside of today's interval" : "not worse"}`,
  ];
}

function said({ hits, of, share, low, high }: Rate): string {
  return share === null
    ? "unknown (0 of 0)"
    : `${percent(share)} (${hits} of ${of}; ${percent(low)} to ${percent(high)})`;
}

function percent(share: number | null): string {
  return share === null ? "unknown" : `${Number((100 * share).toPrecision(3))} %`;
}
