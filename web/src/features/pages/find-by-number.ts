import { userInfo } from "@fava/wire/endpoints/profile.ts";
import { userSearch } from "@fava/wire/endpoints/social.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import type { ReportSubject } from "#lib/person-links.ts";
import { currentUser } from "#lib/session.ts";

/** Digits of the number of an account. */
export const userNoLength = 8;

/**
 * The person of this account number. `nobody` as well where one of the two has blocked the other, whom a search does
 * not show; `failed` where it could not be asked.
 */
export async function findByNumber(number: string): Promise<ReportSubject | "nobody" | "failed"> {
  const user = currentUser();
  if (!user) return "failed";
  try {
    const { rows } = await call(userSearch, { user_id: user.user_id, text: number }, { quiet: true });
    const [first] = rows;
    if (!first) return "nobody";
    // A nickname may begin with the same digits.
    const other = await call(userInfo, { userId: user.user_id, otherId: first.user_id }, { quiet: true });
    return other.user_no === number ? { userId: other.user_id, nickname: other.nickname } : "nobody";
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    return "failed";
  }
}
