import { useEffect, useState } from "react";
import { useAddress } from "#lib/address.ts";
import { tokenIn } from "#lib/appeal-link.ts";
import { type AppealAnswer, type AppealState, appealState, type AppealStatus, loadAppeal } from "./load-appeal.ts";

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
  const [answered, setAnswered] = useState<{ token: string; answer: AppealAnswer } | null>(null);
  useEffect(() => {
    if (token === null) return undefined;
    const owner = new AbortController();
    const load = async () => {
      const answer = await loadAppeal(token, owner.signal);
      if (answer !== null) setAnswered({ token, answer });
    };
    void load();
    return () => owner.abort();
  }, [token, tries]);
  return {
    state: appealState(token, answered),
    retry: () => {
      setAnswered(null);
      setTries((count) => count + 1);
    },
    replace: (status) => token !== null && setAnswered({ token, answer: status }),
  };
}
