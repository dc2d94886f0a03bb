import { codes } from "@fava/wire/codes.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { formatPercent } from "#lib/format-units.ts";
import { formatNumber, formatSpan, isolate } from "#lib/format.ts";
import { currentLanguage, type Key, t, type Translate, useT } from "#lib/i18n.ts";
import { numberFormat } from "#lib/intl.ts";
import { useReachability } from "#lib/socket/connection.ts";
import { showToast } from "#ui/toast-store.ts";

/** How long ago, in the two largest units: 4 min. */
export function formatAge(atMs: number, nowMs: number): string {
  return formatSpan(Math.max(0, nowMs - atMs) / 1_000);
}

/** A smaller score is shown as "< 0.01", because 0.00 would mean that the models found nothing. */
const scoreShownMin = 0.01;

/** A score of 0 to 1 with two digits; a tiny one is "< 0.01". */
export function formatScore(score: number): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const shown = numberFormat(currentLanguage(), digits)(Math.max(score, scoreShownMin));
  return isolate(score < scoreShownMin ? `< ${shown}` : shown);
}

/** A share of 0 to 1 as a percentage, with one fraction digit below 10 %. */
export function formatShare(share: number): string {
  return formatPercent(share * 100, share < 0.1 ? 1 : 0);
}

/** How many of a reporter's judged cases were right; never who it is. */
export function recordText(translate: Translate, { judged, right }: { judged: number; right: number }): string {
  if (judged === 0) return translate("desk.reporters.unknown");
  return translate("desk.reporters.right", { right: formatNumber(right), judged: formatNumber(judged) });
}

/** The length of a ban: 24 hours, 7 days, 30 days, permanent. */
export function banLength(t: Translate, hours: 24 | 168 | 720 | 0): string {
  return t(`desk.hours.${hours}`);
}

/** The time until a moment, in the two largest units; at least a minute. */
export function timeLeft(atMs: number, nowMs: number): string {
  return formatSpan(Math.max(60_000, atMs - nowMs) / 1_000);
}

/** How much time is left until a deadline, or how long it is over, in the two largest units; at least a minute. */
export function timeLeftText(translate: Translate, dueAt: number, nowMs: number): string {
  if (dueAt > nowMs) return translate("desk.row.left", { time: timeLeft(dueAt, nowMs) });
  return translate("desk.row.late", { time: timeLeft(nowMs, dueAt) });
}

const reasons: Readonly<Record<string, Key>> = {
  claimed: "desk.refused.claimed",
  not_claimed: "desk.refused.notClaimed",
  own_case: "desk.refused.own",
  colleague: "desk.refused.colleague",
  already_decided: "desk.refused.decided",
  already_banned: "desk.refused.banned",
  role: "desk.refused.role",
  reopen_over: "desk.refused.reopen",
  case_open: "desk.refused.caseOpen",
};

/**
 * Shows why the server rejected a request, if the moderator can do something about it. A missing response and the end
 * of the session are shown elsewhere. Rethrows any error but a failed request.
 */
export function showDeskFailure(error: unknown): void {
  if (!(error instanceof RequestFailure)) throw error;
  const key = textOf(error);
  if (key !== null) showToast({ type: "error", text: t(key) });
}

function textOf({ code, reason }: RequestFailure): Key | null {
  if (code === codes.slowDown) return "desk.refused.slow";
  if (code === codes.forbidden || code === codes.refused || code === codes.badInput)
    return reasons[reason] ?? "desk.refused.other";
  return null;
}

/** Why nothing can be decided while the server cannot be reached. */
export function useAwayText(): string {
  const t = useT();
  return t(useReachability() === "away" ? "desk.closed.away" : "desk.closed.offline");
}
