import type { OutputOf } from "@fava/wire/endpoint.ts";
import { countryList } from "@fava/wire/endpoints/country.ts";
import { request } from "#lib/api/request.ts";
import { useLanguage } from "#lib/i18n.ts";
import type { Language } from "#lib/languages.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";

export type ListedCountry = OutputOf<typeof countryList>[number];

const none: readonly ListedCountry[] = [];

/** One list per language, because the server translates the names. */
const lists = new Map<Language, RemoteValue<readonly ListedCountry[]>>();

/** The countries that can be chosen, named and sorted in the active language; empty until they are loaded. */
export function useCountries(): readonly ListedCountry[] {
  return useRemote(listIn(useLanguage())) ?? none;
}

function listIn(language: Language): RemoteValue<readonly ListedCountry[]> {
  const known = lists.get(language);
  if (known) return known;
  const load = () => request(countryList, {}, { quiet: true });
  const list = new RemoteValue({ staleMs: Number.POSITIVE_INFINITY, load });
  lists.set(language, list);
  return list;
}
