import { ringMs } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { personOf } from "#testing/fixtures.ts";

/** The server's event for an incoming ring, with the full duration of a ring. */
export function ringOf(name: string, id: string, until = Date.now() + ringMs): Extract<SocialEvent, { kind: "ring" }> {
  const { user_id: userId, externalId, nickname, avatar } = personOf(name);
  return { kind: "ring", id, from: { userId, externalId, nickname, avatar }, until };
}
