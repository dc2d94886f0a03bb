import type { MatchWish } from "@fava/wire/beans.ts";
import { active } from "@fava/wire/endpoints/profile.ts";
import { smallCall } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { currentUser } from "#lib/session.ts";
import { saveWish } from "#lib/wish.ts";

/**
 * Stores the preferences locally and reports them to the server with type 3 (rule MATCH-21). The report is for the
 * server's figures: without a session, or when it does not arrive, the preferences hold all the same.
 */
export function saveAndReport(wish: MatchWish): void {
  saveWish(wish);
  const user = currentUser();
  if (!user) return;
  smallCall(active, { user_id: user.user_id, type: 3, sex: wish.sex, country: wish.country }).catch(
    (error: unknown) => {
      if (!(error instanceof CallFailure)) throw error;
    },
  );
}
