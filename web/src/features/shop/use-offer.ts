import { useCallback, useEffect, useState } from "react";
import { CallFailure } from "#lib/api/call-failure.ts";
import { fetchPriceList, GatewayFailure } from "#lib/gateway.ts";
import { useUser } from "#lib/session.ts";
import { loadOffer, type Offer } from "./offer.ts";

export type OfferState =
  | { name: "loading" }
  | { name: "ready"; offer: Offer }
  /** No pack, not even in country 18. */
  | { name: "empty" }
  | { name: "failed" };

/** What can be bought, fetched when the dialog opens, and again when the person says so. */
export function useOffer(): { state: OfferState; retry: () => void } {
  const user = useUser();
  const [state, setState] = useState<OfferState>({ name: "loading" });
  const [attempt, setAttempt] = useState(0);
  const userId = user?.user_id;
  useEffect(() => {
    if (!user) return undefined;
    let isCurrent = true;
    const settle = (next: OfferState) => {
      if (isCurrent) setState(next);
    };
    setState({ name: "loading" });
    loadOffer(user.country_id, (countryId) => fetchPriceList(user, countryId)).then(
      (offer) => settle(offer.packs.length > 0 ? { name: "ready", offer } : { name: "empty" }),
      (error: unknown) => {
        if (!(error instanceof CallFailure || error instanceof GatewayFailure)) console.error("price list", error);
        settle({ name: "failed" });
      },
    );
    return () => {
      isCurrent = false;
    };
    // A change of the balance is no reason to ask for the prices again.
    // eslint-disable-next-line react/exhaustive-deps
  }, [userId, attempt]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { state, retry };
}
