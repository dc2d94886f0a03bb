import { useEffect, useState } from "react";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { useUser } from "#lib/session.ts";
import { type AskedKind, type NotifyState, loadNotifyState } from "./ask.ts";

const nothing = async () => undefined;

/**
 * Whether this browser notifies of a kind, loaded again for each user; null until it is known.
 *
 * @param learn loads what has to be known with it; must be a stable function
 */
export function useNotifyState(
  kind: AskedKind,
  learn: () => Promise<unknown> = nothing,
): [NotifyState | null, (state: NotifyState) => void] {
  const userId = useUser()?.user_id;
  const [state, setState] = useState<NotifyState | null>(null);
  useEffect(() => {
    let isShown = true;
    Promise.all([loadNotifyState(kind), learn()]).then(
      ([found]) => isShown && setState(found),
      (error: unknown) => {
        // Ignores a failed request: the page offers notifications on another occasion.
        if (!(error instanceof RequestFailure)) throw error;
      },
    );
    return () => {
      isShown = false;
    };
  }, [userId, kind, learn]);
  return [state, setState];
}
