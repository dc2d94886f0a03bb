import { type CountryCode, findPhoneNumbersInText, isSupportedCountry } from "libphonenumber-js/max";
import { LinkifyIt } from "linkify-it";
import validator from "validator";
import { findPersonalData, phoneRuns, unveil } from "@fava/wire/personal-data.ts";
import { foldText } from "@fava/wire/text-folding.ts";
import type { TextFinding } from "#ports/text-rules.ts";
import { hasPostalAddress } from "./postal-address.ts";

/** Endings of two letters that are no words: the others appear wherever a space after a full stop is missing. */
const unmistakableEndings = new Set(["ru", "cn", "tr", "jp", "kr", "uk"]);
const phoneDigitsMin = 7;
const links = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true });

/** Card and account numbers with the spaces people write them with. */
const cardRun = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;
const accountRun = /(?<![a-z0-9])[a-z]{2}\d{2}(?: ?[a-z0-9]){11,30}(?![a-z0-9])/g;

/**
 * Everything that the text rules know about a text, each kind once. `country` is the writer's, for numbers that are
 * written as they are dialled there.
 */
export function scanText(text: string, country: string | undefined): TextFinding[] {
  const folded = foldText(text);
  const findings = new Set<TextFinding>(findPersonalData(text));
  if (hasPhone(folded, country)) findings.add("phone");
  for (const finding of linksIn(unveil(folded))) findings.add(finding);
  if (hasAccountNumber(folded)) findings.add("account_number");
  if (hasPostalAddress(text)) findings.add("address");
  return [...findings];
}

function hasPhone(folded: string, country: string | undefined): boolean {
  const defaultCountry = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const options: { v2: true; defaultCountry?: CountryCode } = { v2: true };
  if (defaultCountry !== undefined) options.defaultCountry = defaultCountry;
  // Only what is no day, price or score on its own is asked about.
  return phoneRuns(folded).some((run) =>
    findPhoneNumbersInText(run, options).some(({ number }) => number.nationalNumber.length >= phoneDigitsMin),
  );
}

function linksIn(text: string): TextFinding[] {
  // Without one of these signs there is no link, and looking for one is what costs most.
  if (!/[.:@/]/.test(text)) return [];
  return (links.match(text) ?? []).flatMap(({ schema, raw }): TextFinding[] => {
    if (schema === "mailto:") return ["email"];
    if (schema !== "") return ["link"];
    const [, ending = "", path = ""] =
      /\.([\p{L}]+)(?::\d+)?(\/\S)?/u.exec(raw.slice(raw.search(/\.[^.]*(?:\/|$)/))) ?? [];
    return ending.length > 2 || path !== "" || unmistakableEndings.has(ending) ? ["link"] : [];
  });
}

function hasAccountNumber(folded: string): boolean {
  const isCard = (run: string) => validator.isCreditCard(run.replaceAll(/\D/g, ""));
  if (folded.match(cardRun)?.some(isCard)) return true;
  // The words after an account number look like more of it, so every beginning is tried.
  return (folded.match(accountRun) ?? []).some((run) => {
    const signs = run.replaceAll(" ", "").toUpperCase();
    for (let length = 15; length <= signs.length; length += 1)
      if (validator.isIBAN(signs.slice(0, length))) return true;
    return false;
  });
}
