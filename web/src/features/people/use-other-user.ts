import { useEffect, useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { userInfo } from "@fava/wire/endpoints/profile.ts";
import type { OtherUser } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { noteRelations } from "#lib/relations.ts";
import { useUser } from "#lib/session.ts";

/** `gone`: the server does not show this person to the signed-in one; it never says why. */
type Profile = { status: "loading" } | { status: "gone" } | { status: "failed" } | { status: "ready"; user: OtherUser };

/** Another person's profile, asked for anew each time it is opened. */
export function useOtherUser(otherId: number): { state: Profile; retry: () => void } {
  const [state, setState] = useState<Profile>({ status: "loading" });
  const [tries, setTries] = useState(0);
  const userId = useUser()?.user_id;
  useEffect(() => {
    if (userId === undefined) return undefined;
    const owner = new AbortController();
    call(userInfo, { userId, otherId }, { quiet: true, signal: owner.signal }).then(
      (user) => {
        noteRelations([user]);
        setState({ status: "ready", user });
      },
      (error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason === "aborted") return;
        setState({ status: error.code === codes.forbidden ? "gone" : "failed" });
      },
    );
    return () => owner.abort();
  }, [userId, otherId, tries]);
  return {
    state,
    retry: () => {
      setState({ status: "loading" });
      setTries((before) => before + 1);
    },
  };
}
