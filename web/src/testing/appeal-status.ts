import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { appealStatus } from "@fava/wire/endpoints/appeals.ts";

/** A ban of seven days in force, without an appeal. */
export function banStatus(change: Partial<OutputOf<typeof appealStatus>> = {}): OutputOf<typeof appealStatus> {
  return {
    user_id: 7,
    user_no: "10482193",
    ban: {
      at: 1_000,
      until: 604_801_000,
      reason_id: 2,
      by: "person",
      is_provisional: false,
      rule: null,
      call_at: null,
      reports: 1,
      strike: 1,
      strike_until: null,
    },
    in_force: true,
    appeal: null,
    beans: 48_200,
    mails: false,
    ...change,
  };
}
