import type { MatchFilters } from "@fava/wire/beans.ts";
import { active } from "@fava/wire/endpoints/profile.ts";
import { ignoreRequestFailure } from "#lib/api/request-failure.ts";
import { smallRequest } from "#lib/api/request.ts";
import { currentUser } from "#lib/session.ts";
import { saveMatchFilters } from "./match-filters.ts";

/**
 * Stores the preferences locally and reports them to the server with type 3. The report only feeds statistics: the
 * preferences apply without a session, and if it does not arrive.
 */
export function saveAndReport(wish: MatchFilters): void {
  saveMatchFilters(wish);
  const user = currentUser();
  if (!user) return;
  const told = { user_id: user.user_id, type: 3, sex: wish.sex, country: wish.country } as const;
  void smallRequest(active, told).catch(ignoreRequestFailure);
}
