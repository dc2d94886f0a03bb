import { type CountryCode, findPhoneNumbersInText, isSupportedCountry } from "libphonenumber-js/max";
import { LinkifyIt } from "linkify-it";
import validator from "validator";
import { contactWords, locatePersonalData, phoneRuns, veils } from "@fava/wire/personal-data.ts";
import { digitOf, spokenNumberIn, withoutCircles } from "@fava/wire/personal-data-spoken.ts";
import { matchesOf } from "@fava/wire/text-folding.ts";
import { MappedText } from "./mapped-text.ts";
import { type PhraseFound, PhraseScanner } from "./phrase-scan.ts";
import { fullNameIn } from "./full-names.ts";
import { outsideHandleIn, outsideWords } from "./outside-handles.ts";
import { findPostalAddress } from "./postal-address.ts";
import { spokenLinkIn, spokenMailIn } from "./spoken-contacts.ts";
import { SpokenNumbers } from "./spoken-numbers.ts";
import { readTextRuleFiles, type TextRuleFile } from "./text-rule-files.ts";

export type ContactKind = "phone" | "email" | "link" | "handle" | "account_number" | "address";
/** A finding in a text; positions in UTF-16 units, the end excluded. */
export type Finding = PhraseFound | ContactFound;

interface ContactFound {
  readonly start: number;
  readonly end: number;
  readonly kind: ContactKind;
  readonly language: null;
  readonly confidence: "sure";
  readonly ruleId: string;
}

export interface Writer {
  /** Country codes of both users. A number counts if it can be dialled in one of them. */
  readonly countries?: readonly string[];
  /** Languages of both users; undefined: any language may be theirs. */
  readonly languages?: ReadonlySet<string>;
}

/** Country endings that are not words. With any other two-letter ending, "end.it" may just lack a space. */
const unmistakableEndings = new Set(["ru", "cn", "tr", "jp", "kr", "uk"]);
const phoneDigitsMin = 7;
const links = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true });

/** Card and account numbers, with the usual spaces. */
const cardRun = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;
const accountRun = /(?<![a-z0-9])[a-z]{2}\d{2}(?: ?[a-z0-9]){11,30}(?![a-z0-9])/g;

const spokenNumbers = new SpokenNumbers();
const phrases = new PhraseScanner(rulesOfLanguages(), {
  words: [...contactWords, ...outsideWords],
  digits: [...digitOf.keys()],
});

function* rulesOfLanguages(): Generator<TextRuleFile, undefined> {
  for (const file of readTextRuleFiles()) {
    spokenNumbers.add(file.digits);
    yield file;
  }
}

/** Loads the next few text rules, and returns whether any were left. A scan loads all that are missing. */
export function loadMoreTextRules(): boolean {
  return phrases.loadMore();
}

/** All findings in a text, in order. Never throws; linear in the length. */
export function scanText(text: string, { countries = [], languages }: Writer = {}): readonly Finding[] {
  const look = phrases.look(text);
  const found: Finding[] = look.phrases ? phrases.find(text, languages) : [];
  if (look.contacts) found.push(...contactsIn(text, countries));
  return found.length < 2 ? found : found.toSorted((one, other) => one.start - other.start || other.end - one.end);
}

/** Contact data, postal addresses, card and account numbers; of postal addresses and phone numbers only the first. */
export function findContacts(text: string): readonly Finding[] {
  return phrases.look(text).contacts ? contactsIn(text, []) : [];
}

function contactsIn(text: string, countries: readonly string[]): readonly ContactFound[] {
  const folded = MappedText.folded(text);
  const spoken = veils.reduce((mapped, [veil, sign]) => mapped.replace(veil, sign), folded);
  const places: { kind: ContactKind; start: number; end: number }[] = [];
  const add = (kind: ContactKind, at: { start: number; end: number } | undefined) => {
    if (!at || places.some((place) => place.kind === kind && at.start < place.end && place.start < at.end)) return;
    places.push({ kind, ...at });
  };
  const located = locatePersonalData(spoken.text);
  for (const { finding, ...at } of located.filter(({ finding }) => finding !== "link"))
    add(finding, spoken.original(at));
  add("phone", phoneOf(spoken, countries) ?? spokenNumbers.find(text)[0]);
  add("phone", spokenNumberOf(text, folded));
  for (const { finding, ...at } of [...located, ...linksIn(spoken.text)]) add(finding, spoken.original(at));
  const email = spokenMailIn(folded.text);
  const link = spokenLinkIn(folded.text);
  const handle = outsideHandleIn(folded.text);
  if (email) add("email", folded.original(email));
  if (link) add("link", folded.original(link));
  if (handle) add("handle", folded.original(handle));
  add("handle", fullNameIn(text));
  add("account_number", accountOf(folded));
  add("address", findPostalAddress(text));
  return places.map(({ kind, ...at }) => ({
    ...at,
    kind,
    language: null,
    confidence: "sure",
    ruleId: `contact:${kind}`,
  }));
}

function phoneOf(spoken: MappedText, countries: readonly string[]): { start: number; end: number } | undefined {
  const known = countries.filter((country) => isSupportedCountry(country));
  // Looks up only runs of digits that are not a date, price or score.
  const run = phoneRuns(spoken.text).find(({ text }) => {
    const digits = text.startsWith("+") ? text : text.replaceAll(/\D+/g, " ");
    return (known.length === 0 ? [undefined] : known).some((country) => isNumberOf(digits, country));
  });
  return run && spoken.original(run);
}

function spokenNumberOf(text: string, folded: MappedText): { start: number; end: number } | undefined {
  const plain = withoutCircles(text);
  const mapped = plain === text ? folded : MappedText.folded(plain);
  const number = spokenNumberIn(mapped.text);
  return number && mapped.original(number);
}

function isNumberOf(text: string, country: CountryCode | undefined): boolean {
  const options: { v2: true; defaultCountry?: CountryCode } = { v2: true };
  if (country !== undefined) options.defaultCountry = country;
  return findPhoneNumbersInText(text, options).some(({ number }) => number.nationalNumber.length >= phoneDigitsMin);
}

interface LinkFound {
  readonly finding: "email" | "link";
  readonly start: number;
  readonly end: number;
}

function linksIn(text: string): LinkFound[] {
  // Searching for links is the most expensive part, and a link needs one of these signs.
  if (!/[.:@/]/.test(text)) return [];
  return (links.match(text) ?? []).flatMap(({ schema, raw, index, lastIndex }): LinkFound[] => {
    const at = { start: index, end: lastIndex };
    if (schema === "mailto:") return [{ finding: "email", ...at }];
    if (schema !== "") return [{ finding: "link", ...at }];
    const [, ending = "", path = ""] =
      /\.([\p{L}]+)(?::\d+)?(\/\S)?/u.exec(raw.slice(raw.search(/\.[^.]*(?:\/|$)/))) ?? [];
    if (/^(?:asp|vb|ado)\.net$/.test(raw)) return [];
    return ending.length > 2 || path !== "" || unmistakableEndings.has(ending) ? [{ finding: "link", ...at }] : [];
  });
}

function accountOf(folded: MappedText): { start: number; end: number } | undefined {
  const place = (run: RegExpExecArray) => folded.original({ start: run.index, end: run.index + run[0].length });
  const card = matchesOf(cardRun, folded.text).find(([run]) => validator.isCreditCard(run.replaceAll(/\D/g, "")));
  if (card) return place(card);
  // Words after an account number match as part of it, so every length is tried.
  const account = matchesOf(accountRun, folded.text).find(([run]) => {
    const signs = run.replaceAll(" ", "").toUpperCase();
    for (let length = 15; length <= signs.length; length += 1)
      if (validator.isIBAN(signs.slice(0, length))) return true;
    return false;
  });
  return account && place(account);
}
