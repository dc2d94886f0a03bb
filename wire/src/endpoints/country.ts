import * as v from "valibot";
import { endpoint } from "../endpoint.ts";

export const countryList = endpoint({
  path: "/api/country/list",
  summary: "The countries of the country filter, named in the caller's language",
  access: "public",
  isRead: true,
  input: {},
  output: v.array(
    v.object({
      id: v.number(),
      /** ISO 3166-1 alpha-2. */
      code: v.string(),
      /** Name in the language of the request. */
      languageText: v.string(),
      /** Address of the flag. */
      flag: v.string(),
    }),
  ),
});

export const getLanguage = endpoint({
  path: "/api/get/language",
  summary: "The offered interface languages, and the public settings of this installation",
  access: "public",
  isRead: true,
  input: {},
  output: v.object({
    languages: v.array(v.object({ value: v.string(), text: v.string() })),
    /** `display` shows the cosmetic number of the specification, `real` shows `online_count`. */
    online_count_mode: v.picklist(["display", "real"]),
    online_count: v.number(),
    prices: v.object({ gender: v.number(), country: v.number(), both: v.number() }),
    /** Beans and price of the smallest pack: the rate for showing beans in money. */
    smallest_pack: v.object({ golds: v.number(), price_minor: v.number(), currency_code: v.string() }),
    contact: v.object({
      email: v.string(),
      official_account: v.string(),
      /** Chat id of the official account of this service. */
      official_id: v.string(),
      messaging_link: v.string(),
      company: v.string(),
      address: v.string(),
      business_email: v.string(),
      phone: v.string(),
    }),
    /** Help lines in the caller's country, for the safety centre. Phone or page may be empty. */
    help_lines: v.array(v.object({ name: v.string(), phone: v.string(), url: v.string() })),
  }),
});
