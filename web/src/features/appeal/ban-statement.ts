import { strikesMax } from "@fava/wire/limits.ts";
import type { BanFacts } from "@fava/wire/moderation.ts";
import { reasons } from "@fava/wire/reasons.ts";
import type { Translate } from "#lib/i18n.ts";
import { dateFormat } from "#lib/intl.ts";
import { directionOf, type Language } from "#lib/languages.ts";

/** The formats of dates in the statement. */
export interface StatementFormat {
  /** Day and time of day. */
  readonly moment: (atMs: number) => string;
  readonly day: (atMs: number) => string;
}

/** What a banned user reads: built from facts alone, so that the desk shows exactly this text before the decision. */
export interface Statement {
  readonly title: string;
  /** What was found, who decided, which strike it is, what the user can do. */
  readonly lines: readonly string[];
}

/** Dates in `language`. The user reads them in their own time zone; the desk does not know it, and uses UTC. */
export function statementFormat(language: Language, zone: "local" | "utc" = "local"): StatementFormat {
  const timeZone = zone === "utc" ? "UTC" : undefined;
  const moment = dateFormat(language, "longMoment", timeZone);
  const day = dateFormat(language, "long", timeZone);
  const suffix = zone === "utc" ? " UTC" : "";
  return {
    moment: (atMs) => isolated(language, `${moment(atMs)}${suffix}`),
    day: (atMs) => isolated(language, day(atMs)),
  };
}

/** The statement of reasons of a ban in the language of `t` (rule DESK-100). */
export function banStatement(t: Translate, format: StatementFormat, facts: BanFacts): Statement {
  const lines = [sawText(t, format, facts), decidedText(t, facts)];
  if (facts.is_provisional) lines.push(t(facts.by === "software" ? "statementOf.looks" : "statementOf.second"));
  if (facts.strike > 0) lines.push(strikeText(t, format, facts));
  lines.push(t("statementOf.appeal"));
  return { title: titleOf(t, format, facts), lines };
}

/** What was found, and when: "In your call of 21 November 2026 at 14:04 you ...". */
export function sawText(t: Translate, format: StatementFormat, facts: BanFacts): string {
  // For this reason the software inspects frames itself.
  const isCheck = facts.by === "software" && facts.reason_id === reasons.pornography.banReason;
  const what = isCheck ? "check" : facts.reason_id;
  if (facts.call_at !== null) return t(`statementOf.inCall.${what}`, { when: format.moment(facts.call_at) });
  return t(`statementOf.seen.${what}`, { when: format.moment(facts.at) });
}

/** Who decided: software, or a person, after how many reports. */
function decidedText(t: Translate, facts: BanFacts): string {
  return facts.by === "software" ? t("statementOf.bySoftware") : t("statementOf.byPerson", { reports: facts.reports });
}

function strikeText(t: Translate, format: StatementFormat, facts: BanFacts): string {
  const strike = { strike: facts.strike, max: strikesMax };
  return facts.strike_until === null
    ? t("statementOf.strike", strike)
    : t("statementOf.strikeUntil", { ...strike, until: format.day(facts.strike_until) });
}

function titleOf(t: Translate, format: StatementFormat, facts: BanFacts): string {
  if (facts.until === null) return t("statementOf.forGood");
  const until = { until: format.moment(facts.until) };
  return facts.is_provisional ? t("statementOf.forNow", until) : t("statementOf.until", until);
}

/** Isolated, so that the digits of a date cannot change the order of the words around it. */
function isolated(language: Language, text: string): string {
  const firstStrongIsolate = "\u2068";
  const popIsolate = "\u2069";
  return directionOf(language) === "rtl" ? `${firstStrongIsolate}${text}${popIsolate}` : text;
}
