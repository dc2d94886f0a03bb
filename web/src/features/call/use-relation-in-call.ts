import { useEffect } from "react";
import { userInfo } from "@fava/wire/endpoints/profile.ts";
import type { RemoteUser } from "@fava/wire/people.ts";
import { smallCall } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { noteRelations, type Relation, useRelation } from "#lib/relations.ts";
import { currentUser } from "#lib/session.ts";

/** The server counts two people as met a moment after they see each other: it is asked again after these times. */
const askAgainMs = [0, 1_500, 5_000] as const;
const stranger: Relation = { followStatus: 0, likeStatus: 0, presence: null, hidden: false };

/**
 * What the other person of a call is to this one; asked for once when their picture is there, and followed from then on.
 * Before, the server would not tell of somebody never met, and nothing should come in the way of the picture.
 */
export function useRelationInCall({ user_id }: RemoteUser, isSeen: boolean): Relation {
  useEffect(() => {
    if (!isSeen) return undefined;
    const owner = new AbortController();
    void ask(user_id, owner.signal);
    return () => owner.abort();
  }, [user_id, isSeen]);
  return useRelation(user_id) ?? stranger;
}

async function ask(otherId: number, signal: AbortSignal): Promise<void> {
  for (const delayMs of askAgainMs) {
    await pause(delayMs, signal);
    const user = currentUser();
    if (signal.aborted || !user) return;
    try {
      return noteRelations([await smallCall(userInfo, { userId: user.user_id, otherId }, { signal })]);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
    }
  }
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
