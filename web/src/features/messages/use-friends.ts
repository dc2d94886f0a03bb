import { useCallback, useEffect, useState } from "react";
import { friendList } from "@fava/wire/endpoints/social.ts";
import type { Person } from "@fava/wire/people.ts";
import { smallCall } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { useUser } from "#lib/session.ts";

export interface Friends {
  readonly rows: readonly Person[];
  readonly next: string | null;
  readonly load: "none" | "loading" | "failed";
}

interface Ask {
  readonly cursor: string | null;
  /** Tells a new try from the one before. */
  readonly attempt: number;
}

/** The friends of the signed-in person, page by page; `more` asks for the next one, or again for one that failed. */
export function useFriends(): { friends: Friends; more: () => void } {
  const userId = useUser()?.user_id;
  const [friends, setFriends] = useState<Friends>({ rows: [], next: null, load: "loading" });
  const [ask, setAsk] = useState<Ask>({ cursor: null, attempt: 0 });
  useEffect(() => {
    if (userId === undefined) return undefined;
    const owner = new AbortController();
    const input = { user_id: userId, ...(ask.cursor !== null && { cursor: ask.cursor }) };
    smallCall(friendList, input, { signal: owner.signal }).then(
      (page) =>
        setFriends(({ rows }) => {
          const ids = new Set(page.rows.map(({ user_id }) => user_id));
          const known = ask.cursor === null ? [] : rows.filter(({ user_id }) => !ids.has(user_id));
          return { rows: [...known, ...page.rows], next: page.next, load: "none" };
        }),
      (error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason !== "aborted") setFriends((known) => ({ ...known, load: "failed" }));
      },
    );
    return () => owner.abort();
  }, [userId, ask]);
  const { next } = friends;
  const more = useCallback(() => {
    setFriends((known) => ({ ...known, load: "loading" }));
    setAsk(({ attempt }) => ({ cursor: next, attempt: attempt + 1 }));
  }, [next]);
  return { friends, more };
}
