import { readFileSync } from "node:fs";
import * as v from "valibot";
import { accountWordsFile } from "./text-rule-files.ts";

const words = v.array(v.string());
/** Words by the language in which people write them. */
const wordsByLanguage = v.pipe(
  v.record(v.string(), words),
  v.transform((byLanguage) => Object.values(byLanguage).flat()),
);
const serviceSchema = v.strictObject({
  /** Spellings in Latin letters that mean nothing else. */
  latin: v.optional(words, []),
  /** Short names, and names that are words of every day: they count only where the writer leads a reader there. */
  everyday: v.optional(words, []),
  arabic: v.optional(words, []),
  chinese: v.optional(words, []),
  /** Words of every day in Chinese, such as "satellite": they count only right before a number. */
  chineseEveryday: v.optional(words, []),
  /** What an account is found by beside a user name: the full name of its owner, or a number. */
  foundBy: v.optional(v.picklist(["name", "number"])),
});
const fileSchema = v.strictObject({
  services: v.record(v.string(), serviceSchema),
  /** Words one letter from the name of a service. */
  notServices: words,
  /** What is written together with a Latin name of a service. */
  endings: wordsByLanguage,
  arabicPrefixes: words,
  arabicEndings: words,
  /** What an account is called in Arabic. */
  arabicNouns: words,
  /** Words that lead to an account anywhere in the text: verbs before "me", nouns behind "my", and whole phrases. */
  reaching: v.strictObject({ verbs: words, mine: words, phrases: wordsByLanguage }),
  /** Words that lead to an account right behind them. */
  searching: wordsByLanguage,
  /** Services that are meant behind "my" and "on". */
  ownedServices: words,
  /** Words between the name of a service and an account. */
  connecting: wordsByLanguage,
  /** Words between an account and the name of a service. */
  prepositions: words,
  /** What people say of a name that they spell. */
  spelling: words,
  names: v.strictObject({
    leads: words,
    owners: wordsByLanguage,
    places: v.strictObject({ tr: words, id: words }),
    finders: wordsByLanguage,
    /** "find me" behind a name, in Turkish without dotless i. */
    seekMe: words,
    as: v.strictObject({ tr: words, ar: words }),
  }),
  chinese: v.strictObject({
    nouns: words,
    calls: words,
    searches: words,
    finders: words,
    /** Signs between the name of a service and a number. */
    numberLeads: v.string(),
    /** How what follows a verb begins where it is no name. */
    notNames: words,
  }),
  numberNouns: words,
  /** Words with a number behind them that are no accounts: "iphone15". */
  ordinaryNumbered: words,
  fileEndings: words,
  links: v.strictObject({ dots: words, slashes: words, endings: words, hosts: words, hostEndings: words }),
  mail: v.strictObject({ words, at: words, providers: words, chineseProviders: words }),
});

/**
 * The words that tell of accounts elsewhere, as `content/text-rules/accounts.json` states them.
 *
 * @throws Error for a file that cannot be read or has another shape.
 */
export const accountWords: v.InferOutput<typeof fileSchema> = v.parse(
  fileSchema,
  JSON.parse(readFileSync(accountWordsFile, "utf8")),
);

/** Every service. */
export const services: readonly v.InferOutput<typeof serviceSchema>[] = Object.values(accountWords.services);

/** Names of services in Latin letters that mean nothing else. */
export const latinServices: readonly string[] = services.flatMap(({ latin }) => latin);
