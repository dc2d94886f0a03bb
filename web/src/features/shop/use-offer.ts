import { useEffect, useState } from "react";
import { CallFailure } from "#lib/api/call-failure.ts";
import { fetchPriceList, GatewayFailure } from "#lib/gateway.ts";
import { currentUser, useUser } from "#lib/session.ts";
import { loadOffer, type Offer } from "./offer.ts";

export type OfferState =
  | { name: "loading" }
  | { name: "ready"; offer: Offer }
  /** No pack, not even in country 18. */
  | { name: "empty" }
  | { name: "failed" };

/** What can be bought, fetched when the dialog opens, and again when the person says so. */
export function useOffer(): { state: OfferState; retry: () => void } {
  const userId = useUser()?.user_id;
  const [state, setState] = useState<OfferState>({ name: "loading" });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const user = currentUser();
    if (!user || user.user_id !== userId) return undefined;
    let isCurrent = true;
    const settle = (next: OfferState) => {
      if (isCurrent) setState(next);
    };
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
  }, [userId, attempt]);
  function retry(): void {
    setState({ name: "loading" });
    setAttempt(attempt + 1);
  }
  return { state, retry };
}
