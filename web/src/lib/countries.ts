import { queryOptions, useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { countryList } from "@fava/wire/endpoints/country.ts";
import { call } from "#lib/api/call.ts";
import { useLanguage } from "#lib/i18n.ts";

export type ListedCountry = OutputOf<typeof countryList>[number];

const none: readonly ListedCountry[] = [];

/** The countries that can be chosen, named and sorted in the active language; empty until they have arrived. */
export function useCountries(): readonly ListedCountry[] {
  const language = useLanguage();
  const query = queryOptions({
    queryKey: ["countries", language],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => call(countryList, {}, { signal, quiet: true }),
  });
  return useQuery(query).data ?? none;
}
