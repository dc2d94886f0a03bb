import { strikeMs, strikesMax, unsecondedBanMs } from "@fava/wire/limits.ts";
import type { BanFacts, BanHours, CaseDetail, DeskPerson } from "@fava/wire/moderation.ts";
import { banReasonIds, banReasonOf } from "@fava/wire/reasons.ts";
import type { BanReasonId } from "./case-state.ts";

const hourMs = 3_600_000;
/** Asked anew instead of forbidden (product decision "Reasons"). */
const wrongGender: BanReasonId = 7;

/** What somebody can be forbidden for: wrong gender is not among it (rule DESK-119). */
export const forbidReasons: readonly BanReasonId[] = banReasonIds.filter((id) => id !== wrongGender);

/** What a decision to forbid is about. */
export interface ForbidSubject {
  readonly person: DeskPerson;
  /** Null without a case. */
  readonly about: Pick<CaseDetail, "reporters" | "reason_id" | "call"> | null;
}

/** The reason that the report names; null where it is none to forbid for. */
export function reportedReason({ about }: ForbidSubject): BanReasonId | null {
  if (!about) return null;
  const reason = banReasonOf(about.reason_id);
  return forbidReasons.includes(reason) ? reason : null;
}

/** When a ban of this length ends; for good it ends by itself if no second person agrees. */
export function banEnd(hours: BanHours, nowMs: number): number {
  return nowMs + (hours === 0 ? unsecondedBanMs : hours * hourMs);
}

/** The ban as it would be, for the statement that the person reads (rule DESK-118). */
export function forbidFacts(
  { person, about }: ForbidSubject,
  choice: { hours: BanHours; reasonId: BanReasonId },
  nowMs: number,
): BanFacts {
  return {
    at: nowMs,
    until: banEnd(choice.hours, nowMs),
    reason_id: choice.reasonId,
    by: "person",
    is_provisional: choice.hours === 0,
    rule: null,
    call_at: about?.call?.at ?? null,
    reports: about?.reporters ?? 0,
    strike: Math.min(person.strikes.length + 1, strikesMax),
    strike_until: nowMs + strikeMs,
  };
}
