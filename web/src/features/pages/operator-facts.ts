import { useMemo } from "react";
import {
  accountRestoreMs,
  addressesKeptMs,
  ageReferenceKeptMs,
  appealAnswerMs,
  callRememberedMs,
  capRaiseDelayMs,
  apartMs,
  evidenceKeptMs,
  exportKeptMs,
  freeMatchesPerDayMax,
  freeMs,
  hintPauseMs,
  holdMs,
  inspectionMs,
  kindWordKeptMs,
  matchSubscriptionTtlMs,
  matchTimeoutMs,
  nicknameChangeMs,
  noticeKeptMs,
  pauseMaxMs,
  pushKeptMs,
  recentMs,
  callsKeptMs,
  reportsKeptMs,
  invitationMs,
  ringKeptMs,
  ringMuteMs,
  sampledFrameKeptMs,
  signalsKeptMs,
  strikeMs,
  suspensionMs,
  textFindingsKeptMs,
  undoMs,
  banWithoutSecondOpinionMs,
  withdrawDays,
} from "@fava/wire/limits.ts";
import { numberFormat } from "#lib/intl.ts";
import type { Language } from "#lib/languages.ts";
import { useSettings } from "#lib/settings.ts";
import { useContentLanguage } from "./content-language.ts";
import { injectedOperator } from "./injected-operator.ts";

/** Facts by the names that texts have in braces. */
type Facts = Readonly<Record<string, string>>;

/** The year in which the page was loaded. */
export const thisYear = String(new Date().getUTCFullYear());

/** All facts that the texts of static pages name, in the language of the text. */
export function useFacts(): Facts {
  const contact = useSettings()?.contact ?? injectedOperator();
  const language = useContentLanguage();
  const limits = useMemo(() => limitFacts(language), [language]);
  // Until the settings are loaded, a dash replaces a fact.
  const { company = "–", email = "–", address = "–" } = contact ?? {};
  return { ...limits, company, email, address: address.replaceAll("\n", ", "), year: thisYear };
}

export type TextRun =
  /** Words of the text, or a limit of the product in them. */
  | { kind: "words"; text: string }
  /** A fact of the operator, in either text direction. */
  | { kind: "fact"; text: string }
  /** An e-mail address. */
  | { kind: "email"; text: string }
  /** A link to another page of this product. */
  | { kind: "link"; text: string; to: string };

const marks = /(\{\w+\}|\[[^\]]+\]\(\/[\w/#-]*\))/;
/** Names of the facts about the operator, and the year. */
const operatorNames: ReadonlySet<string> = new Set(["company", "email", "address", "year"]);

/**
 * Fills the facts into a text of a static page, and makes links of `[words](/path)`; unknown names stay as they are.
 */
export function fillFacts(text: string, facts: Facts): readonly TextRun[] {
  return text
    .split(marks)
    .filter((part) => part !== "")
    .map((part) => runOf(part, facts));
}

function runOf(part: string, facts: Facts): TextRun {
  const link = /^\[([^\]]+)\]\((\/.*)\)$/.exec(part);
  if (link?.[1] !== undefined && link[2] !== undefined) return { kind: "link", text: link[1], to: link[2] };
  const name = /^\{(\w+)\}$/.exec(part)?.[1] ?? "";
  const fact = facts[name];
  if (fact === undefined) return { kind: "words", text: part };
  if (name === "email") return { kind: "email", text: fact };
  return { kind: operatorNames.has(name) ? "fact" : "words", text: fact };
}

const msOf = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
type Unit = keyof typeof msOf;

/** Durations that the static pages name, each in its usual unit. */
const spans = {
  matchTimeout: [matchTimeoutMs, "second"],
  inspection: [inspectionMs, "second"],
  undo: [undoMs, "second"],
  free: [freeMs, "second"],
  remembered: [callRememberedMs, "minute"],
  pause: [suspensionMs, "minute"],
  hintPause: [hintPauseMs, "minute"],
  pauseMax: [pauseMaxMs, "hour"],
  appealAnswer: [appealAnswerMs, "hour"],
  capRaise: [capRaiseDelayMs, "hour"],
  recent: [recentMs, "hour"],
  apart: [apartMs, "day"],
  ringKept: [ringKeptMs, "minute"],
  invite: [invitationMs, "hour"],
  ringMute: [ringMuteMs, "hour"],
  kindWord: [kindWordKeptMs, "hour"],
  ageNumberKept: [ageReferenceKeptMs, "day"],
  evidenceKept: [evidenceKeptMs, "day"],
  sampleKept: [sampledFrameKeptMs, "day"],
  reportsKept: [reportsKeptMs, "day"],
  callsKept: [callsKeptMs, "day"],
  addressesKept: [addressesKeptMs, "day"],
  signalsKept: [signalsKeptMs, "day"],
  textsKept: [textFindingsKeptMs, "day"],
  exportKept: [exportKeptMs, "day"],
  pushKept: [pushKeptMs, "day"],
  tellKept: [matchSubscriptionTtlMs, "hour"],
  noticeKept: [noticeKeptMs, "day"],
  hold: [holdMs, "day"],
  strike: [strikeMs, "day"],
  unseconded: [banWithoutSecondOpinionMs, "day"],
  restore: [accountRestoreMs, "day"],
  nameChange: [nicknameChangeMs, "day"],
  withdraw: [withdrawDays * msOf.day, "day"],
} as const satisfies Readonly<Record<string, readonly [spanMs: number, unit: Unit]>>;

type LimitFact = keyof typeof spans | "freeMatches";

export const limitFactNames: readonly string[] = [...Object.keys(spans), "freeMatches"];

/** The limits of the product as text in a language, by the names that the texts use. */
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
  // Chinese texts have a space between digits and words.
  return numbers(value).replace(/(\d)(?=\p{Script=Han})/u, "$1 ");
}

/** The template of a message, with the account number, or a blank for it. */
export function templateText(template: string, facts: Facts, number: string): string {
  return fillFacts(template, { ...facts, number })
    .map(({ text }) => text)
    .join("");
}
