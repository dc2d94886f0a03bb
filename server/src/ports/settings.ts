import type { FilterPrices } from "@fava/wire/beans.ts";

/** Somebody outside to turn to, in a country or, with null, everywhere; reached by phone, on a page, or both. */
export interface HelpLine {
  countryId: number | null;
  name: string;
  phone: string;
  url: string;
}

/** What an operator sets and the product reads; `config.ts` fills it from the environment. */
export interface Settings {
  mode: "development" | "production";
  /** What filters cost on the first start; afterwards the price book counts, which administrators change. */
  prices: FilterPrices;
  /** How long in a paid call the payer's own word may stop the clock, in milliseconds. */
  ownPauseMs: number;
  onlineCountMode: "display" | "real";
  /** Country of people whose address says nothing (loopback), by id. */
  defaultCountryId: number;
  /** Ids of the countries that can be chosen. */
  selectableCountryIds: readonly number[];
  /** How many countries somebody can leave out; 0: nobody leaves out any. */
  leavesOutMax: number;
  /** Languages on offer, by code. */
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
    /** auto: models look at pictures; off: nobody does; marker: for tests, the answer is in the picture. */
    mode: "auto" | "off" | "marker";
    /** Software ends no call and suspends nobody: it hides the picture and asks a person. */
    shadow: boolean;
    /** Rules against bots only count what they see. */
    botsDryRun: boolean;
  };
  helpLines: readonly HelpLine[];
  /** Third-party identities (`login_type:third_party_id`) that become administrators when they sign in. */
  adminIdentities: ReadonlySet<string>;
}
