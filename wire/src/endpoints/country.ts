import * as v from "valibot";
import { endpoint } from "../endpoint.ts";

export const countryList = endpoint({
  path: "/api/country/list",
  summary: "The countries that can be chosen, named in the caller's language",
  access: "public",
  isRead: true,
  input: {},
  output: v.array(
    v.object({
      id: v.number(),
      /** ISO 3166-1 alpha-2. */
      code: v.string(),
      /** Name in the language of the call. */
      languageText: v.string(),
      /** Address of the flag. */
      flag: v.string(),
    }),
  ),
});

export const getLanguage = endpoint({
  path: "/api/get/language",
  summary: "The interface languages on offer, and the public settings of this installation",
  access: "public",
  isRead: true,
  input: {},
  output: v.object({
    languages: v.array(v.object({ value: v.string(), text: v.string() })),
    /** `display` shows the cosmetic number of the specification, `real` the true count below. */
    online_count_mode: v.picklist(["display", "real"]),
    online_count: v.number(),
    prices: v.object({ gender: v.number(), country: v.number(), both: v.number() }),
    /** Beans and price of the smallest pack, by which beans are shown in money. */
    smallest_pack: v.object({ golds: v.number(), price_minor: v.number(), currency_code: v.string() }),
    contact: v.object({
      email: v.string(),
      official_account: v.string(),
      /** Chat id of the account of this service itself. */
      official_id: v.string(),
      messaging_link: v.string(),
      company: v.string(),
      address: v.string(),
      business_email: v.string(),
      phone: v.string(),
    }),
    /** Whom to turn to in the caller's country; the safety centre shows them. Phone or page may be empty. */
    help_lines: v.array(v.object({ name: v.string(), phone: v.string(), url: v.string() })),
  }),
});
