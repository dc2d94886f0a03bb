import { readFileSync } from "node:fs";
import * as v from "valibot";
import { accountWordsFile } from "./text-rule-files.ts";

const words = v.array(v.string());
const wordsByLanguage = v.pipe(
  v.record(v.string(), words),
  v.transform((byLanguage) => Object.values(byLanguage).flat()),
);
const serviceSchema = v.strictObject({
  latin: v.optional(words, []),
  /** Short or ambiguous names. They count only where the writer refers the reader to that service. */
  everyday: v.optional(words, []),
  arabic: v.optional(words, []),
  chinese: v.optional(words, []),
  /** Ambiguous Chinese words, such as "satellite". They count only directly before a number. */
  chineseEveryday: v.optional(words, []),
  /** How to find an account on this service if not by user name: by the owner's full name, or by a number. */
  foundBy: v.optional(v.picklist(["name", "number"])),
});
const fileSchema = v.strictObject({
  services: v.record(v.string(), serviceSchema),
  notServices: words,
  endings: wordsByLanguage,
  arabicPrefixes: words,
  arabicEndings: words,
  arabicNouns: words,
  /** Words that refer to an account anywhere in the text: verbs before "me", nouns after "my", whole phrases. */
  reaching: v.strictObject({ verbs: words, mine: words, phrases: wordsByLanguage }),
  /** Words such as "search" or "id", which stand directly before an account name. */
  searching: wordsByLanguage,
  /** Services that count as named after "my" and "on". */
  ownedServices: words,
  connecting: wordsByLanguage,
  prepositions: words,
  spelling: words,
  names: v.strictObject({
    leads: words,
    owners: wordsByLanguage,
    places: v.strictObject({ tr: words, id: words }),
    finders: wordsByLanguage,
    /** "find me" after a name, in Turkish with the dotless i written as i. */
    seekMe: words,
    as: v.strictObject({ tr: words, ar: words }),
  }),
  chinese: v.strictObject({
    nouns: words,
    calls: words,
    searches: words,
    finders: words,
    numberLeads: v.string(),
    /** How the text after a verb begins if that text is not a name. */
    notNames: words,
  }),
  numberNouns: words,
  /** Words with a number at the end that are not accounts: "iphone15". */
  ordinaryNumbered: words,
  fileEndings: words,
  links: v.strictObject({ dots: words, slashes: words, endings: words, hosts: words, hostEndings: words }),
  mail: v.strictObject({ words, at: words, providers: words, chineseProviders: words }),
});

/** @throws Error for an unreadable or invalid file. */
export const accountWords: v.InferOutput<typeof fileSchema> = v.parse(
  fileSchema,
  JSON.parse(readFileSync(accountWordsFile, "utf8")),
);

export const services: readonly v.InferOutput<typeof serviceSchema>[] = Object.values(accountWords.services);

export const latinServices: readonly string[] = services.flatMap(({ latin }) => latin);
