import {
  accountRestoreMs,
  addressesKeptMs,
  appealAnswerMs,
  callRememberedMs,
  capRaiseDelayMs,
  evidenceKeptMs,
  exportKeptMs,
  freeMatchesPerDayMax,
  freeMs,
  inspectionMs,
  matchTimeoutMs,
  nicknameChangeMs,
  pauseMaxMs,
  recentMs,
  reportsKeptMs,
  signalsKeptMs,
  strikeMs,
  suspensionMs,
  undoMs,
  unsecondedBanMs,
  withdrawDays,
} from "@fava/wire/limits.ts";
import { numberFormat } from "#lib/intl.ts";
import type { Language } from "#lib/languages.ts";

const msOf = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
type Unit = keyof typeof msOf;

/** Spans that the static pages name, each in the unit that people think of it in. */
const spans = {
  matchTimeout: [matchTimeoutMs, "second"],
  inspection: [inspectionMs, "second"],
  undo: [undoMs, "second"],
  free: [freeMs, "second"],
  remembered: [callRememberedMs, "minute"],
  pause: [suspensionMs, "minute"],
  pauseMax: [pauseMaxMs, "hour"],
  appealAnswer: [appealAnswerMs, "hour"],
  capRaise: [capRaiseDelayMs, "hour"],
  recent: [recentMs, "hour"],
  evidenceKept: [evidenceKeptMs, "day"],
  reportsKept: [reportsKeptMs, "day"],
  addressesKept: [addressesKeptMs, "day"],
  signalsKept: [signalsKeptMs, "day"],
  exportKept: [exportKeptMs, "day"],
  strike: [strikeMs, "day"],
  unseconded: [unsecondedBanMs, "day"],
  restore: [accountRestoreMs, "day"],
  nameChange: [nicknameChangeMs, "day"],
  withdraw: [withdrawDays * msOf.day, "day"],
} as const satisfies Readonly<Record<string, readonly [spanMs: number, unit: Unit]>>;

type LimitFact = keyof typeof spans | "freeMatches";

export const limitFactNames: readonly string[] = [...Object.keys(spans), "freeMatches"];

/** What the product is set to, in words of a language, by the names that the texts use (rule PAGE-40). */
export function limitFacts(language: Language): Readonly<Record<LimitFact, string>> {
  const facts = { freeMatches: format(freeMatchesPerDayMax, language) } as Record<LimitFact, string>;
  for (const [name, [spanMs, unit]] of Object.entries(spans)) {
    facts[name as LimitFact] = format(spanMs / msOf[unit], language, unit);
  }
  return facts;
}

/** Western digits in every language, as in the rest of the texts. */
function format(value: number, language: Language, unit?: Unit): string {
  const measure = unit ? ({ style: "unit", unit, unitDisplay: "long" } as const) : {};
  const numbers = numberFormat(language, { maximumFractionDigits: 2, ...measure });
  // Chinese texts set a space between digits and words.
  return numbers(value).replace(/(\d)(?=\p{Script=Han})/u, "$1 ");
}
