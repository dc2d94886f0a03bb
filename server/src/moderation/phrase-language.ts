export interface SurroundingLanguages {
  /** The language of most words, and their number. */
  readonly language: string;
  readonly words: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** From this many words of one other language on, the text around a finding is foreign and the finding `likely`. */
const foreignWordsMin = 3;
const writtenIn: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\p{Script=Arabic}/u, ["ar", "ur", "fa"]],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ["ja"]],
  [/\p{Script=Han}/u, ["zh-CN", "ja"]],
  [/\p{Script=Hangul}/u, ["ko"]],
  [/\p{Script=Thai}/u, ["th"]],
  [/\p{Script=Cyrillic}/u, ["ru", "uk", "uz"]],
  [/\p{Script=Greek}/u, ["el"]],
  [/\p{Script=Devanagari}/u, ["hi"]],
];

/**
 * Counts the words of each language around a phrase.
 * @param inside words by language within the phrase, which the text's counts include.
 */
export function surroundingLanguages(
  spoken: ReadonlyMap<string, number>,
  inside: ReadonlyMap<string, number>,
): SurroundingLanguages {
  const counts = new Map(spoken);
  for (const [language, words] of inside) counts.set(language, (counts.get(language) ?? 0) - words);
  let most = { language: "", words: 0 };
  for (const [language, words] of counts) if (words > most.words) most = { language, words };
  return { ...most, counts };
}

/** Whether the letters are of a script that only this language and a few others use. */
export function isWrittenIn(language: string, letters: string): boolean {
  return writtenIn.some(([script, those]) => those.includes(language) && script.test(letters));
}

/** Whether the text around is clearly in another language. Never true for English, whose words occur everywhere. */
export function isForeign(language: string, { words, counts }: SurroundingLanguages): boolean {
  return language !== "en" && words >= foreignWordsMin && (counts.get(language) ?? 0) * 2 < words;
}
