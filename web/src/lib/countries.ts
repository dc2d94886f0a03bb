import type { OutputOf } from "@fava/wire/endpoint.ts";
import { countryList } from "@fava/wire/endpoints/country.ts";
import { call } from "#lib/api/call.ts";
import { useLanguage } from "#lib/i18n.ts";
import { languages, type Language } from "#lib/languages.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";

export type ListedCountry = OutputOf<typeof countryList>[number];

const none: readonly ListedCountry[] = [];

/** One list a language, because the names come in the language of the call. */
const lists = new Map<Language, RemoteValue<readonly ListedCountry[]>>(
  languages.map(({ value }) => [
    value,
    new RemoteValue({ staleMs: Number.POSITIVE_INFINITY, load: () => call(countryList, {}, { quiet: true }) }),
  ]),
);
const noList = new RemoteValue<readonly ListedCountry[]>({ staleMs: Number.POSITIVE_INFINITY, load: async () => none });

/** The countries that can be chosen, named and sorted in the active language; empty until they have arrived. */
export function useCountries(): readonly ListedCountry[] {
  const list = lists.get(useLanguage()) ?? noList;
  return useRemote(list) ?? none;
}
