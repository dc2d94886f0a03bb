import { countryByCode, countryById } from "@fava/wire/countries.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { countryName } from "#lib/country-name.ts";
import { boundedCache } from "#lib/cache.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { PriceBook } from "#ports/billing.ts";
import type { Settings } from "#ports/settings.ts";

const languagesKeptMax = 64;

/** The address of the country's flag; empty for an unknown country. */
export function flagAddress(countryId: number): string {
  const country = countryById(countryId);
  return country ? `/flags/${country.code}.svg` : "";
}

type CountryList = OutputOf<Endpoints["countryList"]>;

export class CountryService {
  readonly #settings: Settings;
  readonly #prices: PriceBook;
  readonly #officialId: string;
  readonly #lists = boundedCache<string, CountryList>({ entriesMax: languagesKeptMax });

  /** `officialId`: the chat id of the site's own account. */
  constructor(settings: Settings, prices: PriceBook, officialId: string) {
    this.#settings = settings;
    this.#prices = prices;
    this.#officialId = officialId;
  }

  list(language: string): CountryList {
    const known = this.#lists.get(language);
    if (known) return known;
    const collator = new Intl.Collator([language, "en"]);
    const list = this.#settings.selectableCountryIds
      .flatMap((id) => countryById(id) ?? [])
      .map(({ id, code }) => ({ id, code, languageText: countryName(id, language), flag: flagAddress(id) }))
      .toSorted((one, other) => collator.compare(one.languageText, other.languageText));
    this.#lists.set(language, list);
    return list;
  }

  /**
   * @param onlineCount part of the result only if the operator chose so.
   * @param countryCode country of the caller's address; null if unknown.
   */
  publicSettings(onlineCount: number, countryCode: string | null): OutputOf<Endpoints["getLanguage"]> {
    const { offeredLanguages, onlineCountMode, contact, helpLines, defaultCountryId } = this.#settings;
    const countryId = countryByCode(countryCode ?? "")?.id ?? defaultCountryId;
    const prices = this.#prices.filterPrices();
    const smallestPack = this.#prices.smallestPack();
    return {
      languages: offeredLanguages.map((value) => ({ value, text: ownLanguageName(value) })),
      online_count_mode: onlineCountMode,
      online_count: onlineCountMode === "real" ? onlineCount : 0,
      prices: { gender: prices.gender, country: prices.country, both: prices.both },
      smallest_pack: {
        golds: wireInteger(smallestPack.golds),
        price_minor: wireInteger(smallestPack.priceMinor),
        currency_code: smallestPack.currencyCode,
      },
      contact: {
        email: contact.email,
        official_account: contact.officialAccount,
        official_id: this.#officialId,
        messaging_link: contact.messagingLink,
        company: contact.company,
        address: contact.address,
        business_email: contact.businessEmail,
        phone: contact.phone,
      },
      help_lines: helpLines
        .filter((line) => line.countryId === null || line.countryId === countryId)
        .map(({ name, phone, url }) => ({ name, phone, url })),
    };
  }
}

function ownLanguageName(language: string): string {
  return interfaceLanguages.find(({ value }) => value === language)?.text ?? language;
}
