import type { FilterPrices } from "@fava/wire/beans.ts";

/** A help line of a country (null: everywhere), reached by phone, on a page, or both. */
export interface HelpLine {
  countryId: number | null;
  name: string;
  phone: string;
  url: string;
}

/** Whether users of a country need an age check, by country id. */
export interface AgePolicy {
  readonly byCountry: ReadonlyMap<number, boolean>;
  /** For all other countries. */
  readonly elsewhere: boolean;
}

/** Settings of the operator; `config.ts` reads them from the environment. */
export interface Settings {
  mode: "development" | "production";
  /** Filter prices for the first start. Later the database has the prices, which administrators change. */
  prices: FilterPrices;
  /** For how long per call the payer's own reports may pause the meter, in milliseconds. */
  ownPauseMs: number;
  /** What the relay's traffic costs: minor units of the currency for 10^12 bytes; null: unknown. */
  relayPrice: { readonly perTerabyte: bigint; readonly currency: string } | null;
  onlineCountMode: "display" | "real";
  /** Country id for addresses of unknown country, such as loopback. */
  defaultCountryId: number;
  selectableCountryIds: readonly number[];
  /** How many countries a user can exclude; 0: none. */
  excludedCountriesMax: number;
  offeredLanguages: readonly string[];
  agePolicy: AgePolicy;
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
    /** `auto`: models judge pictures. `off`: no inspection. `marker`: for tests, pictures contain their verdict. */
    mode: "auto" | "off" | "marker";
    /** Shadow mode: software hides video and opens cases, but ends no call and suspends nobody. */
    shadow: boolean;
    /** open_nsfw, a second family of models. `shadow`: its scores are counted and stored, and decide nothing. */
    openNsfw: "off" | "shadow" | "on";
    /** Estimates of ages, and looks for a person. `shadow`: what they find is only counted. */
    ageHints: "off" | "shadow" | "on";
    /** Countries whose users are left out of them. */
    ageHintsOffCountryIds: readonly number[];
    /** How many unflagged frames a week moderators look at, 0 to 700; 0: none is kept. */
    auditFramesWeekly: number;
    /** True: software counts what bots do, without consequences. */
    botsDryRun: boolean;
  };
  helpLines: readonly HelpLine[];
  /**
   * Users who become administrators when they sign in: their identity at the provider (`login_type:third_party_id`), or a
   * mail address in lower case that the provider has verified.
   */
  adminIdentities: ReadonlySet<string>;
}
