import { useEffect, useReducer } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { accountInfo } from "@fava/wire/endpoints/account.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { useUser } from "#lib/session.ts";

type AccountInfo = OutputOf<typeof accountInfo>;
export type SignInRow = AccountInfo["sessions"][number];
export type Deletion = AccountInfo["deletion"];

export type LoadedAccount = { status: "loading" } | { status: "failed" } | { status: "ready"; info: AccountInfo };

/** Sign-ins, and what deleting the account would mean now; `retry` asks again. */
export function useAccount(): { state: LoadedAccount; retry: () => void } {
  const userId = useUser()?.user_id;
  const [{ state, attempt }, change] = useReducer(
    (before: { state: LoadedAccount; attempt: number }, next: LoadedAccount) => ({
      state: next,
      attempt: before.attempt + (next.status === "loading" ? 1 : 0),
    }),
    { state: { status: "loading" }, attempt: 0 },
  );
  useEffect(() => {
    if (userId === undefined) return undefined;
    const owner = new AbortController();
    call(accountInfo, { user_id: userId }, { quiet: true, signal: owner.signal }).then(
      (info) => change({ status: "ready", info }),
      (error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason !== "aborted") change({ status: "failed" });
      },
    );
    return () => owner.abort();
  }, [userId, attempt]);
  return { state, retry: () => change({ status: "loading" }) };
}
