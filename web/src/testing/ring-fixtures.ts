import { ringMs } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { personOf } from "#testing/fixtures.ts";

/** What the server tells when somebody rings, for as long as rings last. */
export function ringOf(name: string, id: string, until = Date.now() + ringMs): Extract<SocialEvent, { kind: "ring" }> {
  const { user_id: userId, externalId, nickname, avatar } = personOf(name);
  return { kind: "ring", id, from: { userId, externalId, nickname, avatar }, until };
}
