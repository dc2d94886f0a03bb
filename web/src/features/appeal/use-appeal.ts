import { useEffect, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { appealStatus } from "@fava/wire/endpoints/appeals.ts";
import { codes } from "@fava/wire/codes.ts";
import { useAddress } from "#lib/address.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { tokenIn } from "#lib/appeal-link.ts";

export type AppealStatus = OutputOf<typeof appealStatus>;

/** `none`: the address holds no token of a ban. */
type AppealState =
  | { readonly kind: "loading" }
  | { readonly kind: "none" }
  | { readonly kind: "failed" }
  | { readonly kind: "ready"; readonly token: string; readonly status: AppealStatus };

export interface AppealView {
  readonly state: AppealState;
  readonly retry: () => void;
  /** Takes over what another call has answered. */
  readonly replace: (status: AppealStatus) => void;
}

/** The ban that the token in the page's address is for, and its appeal. */
export function useAppeal(): AppealView {
  const token = tokenIn(useAddress().hash);
  const [tries, setTries] = useState(0);
  const [answer, setAnswer] = useState<{ token: string; status: AppealStatus | "none" | "failed" } | null>(null);
  useEffect(() => {
    if (token === null) return undefined;
    const owner = new AbortController();
    const load = async () => {
      try {
        const options = { token: "", quiet: true, signal: owner.signal };
        setAnswer({ token, status: await call(appealStatus, { appeal_token: token }, options) });
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason === "aborted") return;
        setAnswer({ token, status: error.code === codes.badInput ? "none" : "failed" });
      }
    };
    void load();
    return () => owner.abort();
  }, [token, tries]);
  return {
    state: stateOf(token, answer?.token === token ? answer.status : null),
    retry: () => {
      setAnswer(null);
      setTries((count) => count + 1);
    },
    replace: (status) => token !== null && setAnswer({ token, status }),
  };
}

function stateOf(token: string | null, status: AppealStatus | "none" | "failed" | null): AppealState {
  if (token === null || status === "none") return { kind: "none" };
  if (status === null) return { kind: "loading" };
  return status === "failed" ? { kind: "failed" } : { kind: "ready", token, status };
}
