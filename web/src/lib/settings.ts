import { useQuery, queryOptions } from "@tanstack/react-query";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { getLanguage } from "@fava/wire/endpoints/country.ts";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/query-client.ts";

/** Public settings of this installation: languages on offer, prices, contact data, how the online count is shown. */
export type PublicSettings = OutputOf<typeof getLanguage>;

const settingsQuery = queryOptions({
  queryKey: ["settings"],
  // The server may still be starting when the page of a developer is there already.
  retry: 2,
  queryFn: ({ signal }) => call(getLanguage, {}, { signal, quiet: true }),
});

/** The settings, or undefined until they have arrived. */
export function useSettings(): PublicSettings | undefined {
  return useQuery(settingsQuery).data;
}

/** The settings outside a component. @throws CallFailure when the server does not answer. */
export function fetchSettings(): Promise<PublicSettings> {
  return queryClient.ensureQueryData(settingsQuery);
}
