import { readdirSync, readFileSync } from "node:fs";
import * as v from "valibot";

export const phraseKinds = ["insult", "threat", "hate", "solicitation", "advert", "minor"] as const;
/** Limits of a `near` row: the number of its sets of words, and their distance in tokens. */
const nearSetsMax = 5;
const nearWithinMax = 40;
const words = v.optional(v.array(v.string()), []);
const fileSchema = v.strictObject({
  language: v.string(),
  classes: v.optional(v.record(v.string(), v.array(v.string())), {}),
  negations: words,
  reported: words,
  told: words,
  clauseBreaks: words,
  digits: v.optional(v.record(v.string(), v.pipe(v.string(), v.regex(/^\d{1,2}$/))), {}),
  phrases: v.array(
    v.pipe(
      v.strictObject({
        text: v.optional(v.string()),
        near: v.optional(v.pipe(v.array(v.string()), v.minLength(2), v.maxLength(nearSetsMax))),
        within: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(nearWithinMax))),
        kind: v.picklist(phraseKinds),
        confidence: v.picklist(["sure", "likely"]),
        negatable: v.optional(v.boolean(), false),
        unless: words,
      }),
      v.check(
        ({ text, near, within }) =>
          (text === undefined) !== (near === undefined) && (within === undefined || near !== undefined),
        "a phrase has either `text` or `near`, and `within` only beside `near`",
      ),
    ),
  ),
});
export type TextRuleFile = v.InferOutput<typeof fileSchema>;
export type PhraseRow = TextRuleFile["phrases"][number];
export type PhraseKind = PhraseRow["kind"];

const directory = new URL("../../../content/text-rules/", import.meta.url);
const accountsName = "accounts.json";
export const accountWordsFile = new URL(accountsName, directory);

/**
 * Reads the files in the order of their names, each when the caller needs it.
 * @throws Error for an unreadable or invalid file.
 */
export function* readTextRuleFiles(): Generator<TextRuleFile, undefined> {
  const names = readdirSync(directory).filter((name) => name.endsWith(".json") && name !== accountsName);
  for (const name of names.toSorted()) {
    const { success, output, issues } = v.safeParse(
      fileSchema,
      JSON.parse(readFileSync(new URL(name, directory), "utf8")),
    );
    if (!success) throw new Error(`content/text-rules/${name}: ${issues[0].message}`);
    if (name !== `${output.language}.json`) throw new Error(`content/text-rules/${name} states ${output.language}`);
    yield output;
  }
}
