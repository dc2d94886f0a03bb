import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { Appeal, BanFacts } from "@fava/wire/moderation.ts";
import { type Push, pushCodes } from "@fava/wire/pushes.ts";
import { ana } from "#testing/fixtures.ts";

type AppealStatus = OutputOf<Endpoints["appealStatus"]>;
type BanPush = Extract<Push, { code: typeof pushCodes.banned }>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A token as in the address of an appeal; nothing verifies its signature. */
export const appealToken = `${ana.user_id}.1795270320000.${"appeal-".repeat(6)}a`;

/** A person's decision after two reports of a call: seven days for harassment. */
export function banFactsOf(nowMs: number, change: Partial<BanFacts> = {}): BanFacts {
  return {
    at: nowMs - 2 * hourMs,
    until: nowMs + 7 * dayMs - 2 * hourMs,
    reason_id: 2,
    by: "person",
    is_provisional: false,
    rule: null,
    call_at: nowMs - 3 * hourMs,
    reports: 2,
    strike: 1,
    strike_until: nowMs + 90 * dayMs,
    ...change,
  };
}

/** A decision of the frame checks in a call, for a day at most, until a person has reviewed it. */
export function checkFactsOf(nowMs: number): BanFacts {
  const decided = { by: "software", is_provisional: true, rule: "explicit_picture_sure", reason_id: 1 } as const;
  const times = { at: nowMs, call_at: nowMs - minuteMs, until: nowMs + dayMs };
  return banFactsOf(nowMs, { ...decided, ...times, reports: 0, strike: 0, strike_until: null });
}

/** The push that tells a user's pages of a ban. */
export function banPush(facts: BanFacts): BanPush {
  return {
    code: pushCodes.banned,
    isBan: true,
    id: ana.user_no,
    reason_id: facts.reason_id,
    reason: "Harassment",
    time: facts.until === null ? null : new Date(facts.until).toISOString(),
    appeal_token: appealToken,
    facts,
  };
}

/** The ban of the token, without an appeal. */
export function appealStatusOf(nowMs: number, change: Partial<AppealStatus> = {}): AppealStatus {
  return {
    user_id: ana.user_id,
    user_no: ana.user_no,
    ban: banFactsOf(nowMs),
    in_force: true,
    appeal: null,
    beans: 48_200,
    mails: false,
    ...change,
  };
}

/** An appeal that was sent an hour ago. */
export function appealOf(nowMs: number, change: Partial<Appeal> = {}): Appeal {
  return {
    id: "204",
    state: "received",
    ground: 2,
    text: "We were acting out a scene from a film we both like. You can see it a minute earlier in the chat.",
    at: nowMs - hourMs,
    answer_by: nowMs + 71 * hourMs,
    decided_at: null,
    answer: "",
    until: null,
    beans_returned: 0,
    ...change,
  };
}

/** The status after the decision on the appeal. */
export function decidedStatusOf(nowMs: number, change: Partial<Appeal> & Pick<Appeal, "state">): AppealStatus {
  const answer = "We looked at the whole chat, and not at three lines of it.";
  return appealStatusOf(nowMs, {
    in_force: change.state !== "lifted",
    appeal: appealOf(nowMs, { at: nowMs - 2 * dayMs, decided_at: nowMs - hourMs, answer, ...change }),
  });
}
