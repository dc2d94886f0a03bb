import type { FilterPrices } from "@fava/wire/beans.ts";

/** A help line of a country (null: everywhere), reached by phone, on a page, or both. */
export interface HelpLine {
  countryId: number | null;
  name: string;
  phone: string;
  url: string;
}

/** Settings of the operator; `config.ts` reads them from the environment. */
export interface Settings {
  mode: "development" | "production";
  /** Filter prices on the first start; later the price book counts, which administrators change. */
  prices: FilterPrices;
  /** How long in a paid call the payer's own reports may stop the meter, in milliseconds. */
  ownPauseMs: number;
  onlineCountMode: "display" | "real";
  /** Country id for addresses without a known country (loopback). */
  defaultCountryId: number;
  /** Ids of the countries in the country filter. */
  selectableCountryIds: readonly number[];
  /** How many countries a user can exclude; 0: none. */
  excludedCountriesMax: number;
  offeredLanguages: readonly string[];
  contact: {
    email: string;
    officialAccount: string;
    messagingLink: string;
    company: string;
    address: string;
    businessEmail: string;
    phone: string;
  };
  moderation: {
    /** auto: models judge pictures; off: no inspection; marker: for tests, the picture contains its verdict. */
    mode: "auto" | "off" | "marker";
    /** Software neither ends calls nor suspends: it hides the picture and opens a case. */
    shadow: boolean;
    /** Rules against bots count without acting. */
    botsDryRun: boolean;
  };
  helpLines: readonly HelpLine[];
  /** Third-party identities (`login_type:third_party_id`) that become administrators at sign-in. */
  adminIdentities: ReadonlySet<string>;
}
