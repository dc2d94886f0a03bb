import type { BanNotice } from "@fava/wire/codes.ts";

const dayMs = 86_400_000;

/** The notice of a ban that a moderator has just decided: seven days for harassment, after two reports. */
export function banNotice(nowMs: number, change: Partial<BanNotice> = {}): BanNotice {
  const untilMs = nowMs + 7 * dayMs;
  return {
    isBan: true,
    id: "10481234",
    reason_id: 2,
    reason: "Harassment",
    time: new Date(untilMs).toISOString(),
    appeal_token: "1.2.token",
    facts: {
      at: nowMs,
      until: untilMs,
      reason_id: 2,
      by: "person",
      is_provisional: false,
      rule: null,
      call_at: nowMs - dayMs,
      reports: 2,
      strike: 1,
      strike_until: nowMs + 90 * dayMs,
    },
    ...change,
  };
}
