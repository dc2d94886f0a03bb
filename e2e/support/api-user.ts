import type { Endpoint, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { feedback } from "@fava/wire/endpoints/moderation.ts";
import { myInfo } from "@fava/wire/endpoints/profile.ts";
import { follow, userSearch } from "@fava/wire/endpoints/social.ts";
import { signedCall } from "@fava/server/test/fixtures/signed-call.ts";
import type { Self } from "./friends.ts";
import { accepted, type KeptSession, signInByApi, type Who } from "./session.ts";

/** A signed-in user without a browser, who acts by requests alone. */
export interface ApiUser {
  readonly userId: number;
  /** Sends a request and resolves to its data. @throws Error for a rejection */
  ask<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
}

export async function apiUser(target: string, who: Who): Promise<ApiUser> {
  return apiUserOf(target, await signInByApi(target, who));
}

/** The user of a session, which a page may use as well. */
export function apiUserOf(target: string, { token, signKey, stored }: KeptSession): ApiUser {
  return {
    userId: Number(stored["uid"]),
    ask: async (endpoint, input) => accepted(await signedCall({ target, token, signKey }, endpoint, input)),
  };
}

/** Makes two users friends by mutual follows. */
export async function befriendByApi(one: ApiUser, other: ApiUser): Promise<void> {
  for (const [follower, followed] of [
    [one, other],
    [other, one],
  ] as const) {
    const { user_no } = await followed.ask(myInfo, { user_id: followed.userId });
    await follower.ask(userSearch, { user_id: follower.userId, text: user_no });
    await follower.ask(follow, { userId: follower.userId, followUserId: followed.userId, on: 1 });
  }
}

/** Reports another user, after finding them by number. */
export async function reportBy(
  reporter: ApiUser,
  other: Self,
  reasonId: InputOf<typeof feedback>["id"],
): Promise<void> {
  const { userId: user_id } = reporter;
  await reporter.ask(userSearch, { user_id, text: other.user_no });
  await reporter.ask(feedback, { user_id, other_id: other.user_id, id: reasonId });
}
