import { skipToken, useQuery } from "@tanstack/react-query";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { queryClient } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { fetchPriceList, GatewayFailure } from "./gateway.ts";
import { loadOffer, type Offer } from "./offer.ts";

export type OfferState =
  | { name: "loading" }
  | { name: "ready"; offer: Offer }
  /** The shop has no packs, not even in country 18. */
  | { name: "empty" }
  | { name: "failed" };

/** The offer, loaded when the dialog opens, and again on a retry. */
export function useOffer(): { state: OfferState; retry: () => void } {
  const user = useUser();
  const query = useQuery(
    {
      queryKey: ["offer", user?.user_id],
      queryFn: user ? () => loadOffer(user.country_id, (countryId) => fetchPriceList(user, countryId)) : skipToken,
      throwOnError: (error: Error) => !(error instanceof RequestFailure || error instanceof GatewayFailure),
    },
    queryClient,
  );
  return { state: stateOf(query), retry: () => void query.refetch() };
}

function stateOf({
  data,
  isError,
  isFetching,
}: {
  data: Offer | undefined;
  isError: boolean;
  isFetching: boolean;
}): OfferState {
  if (data && data.packs.length > 0) return { name: "ready", offer: data };
  if (isFetching) return { name: "loading" };
  if (isError) return { name: "failed" };
  return { name: data ? "empty" : "loading" };
}
