/** Whose language a phrase is of: that of its script, of the writer and the reader, or of the words around it. */

/** The languages of which most words around a phrase are. */
export interface Around {
  /** That of which the most words are, with how many. */
  readonly language: string;
  readonly words: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** More words around a phrase, clearly of another language, make it a word of that language. */
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

/** @param inside the words of each language in the phrase itself, of those in the whole text. */
export function aroundOf(spoken: ReadonlyMap<string, number>, inside: ReadonlyMap<string, number>): Around {
  const counts = new Map(spoken);
  for (const [language, words] of inside) counts.set(language, (counts.get(language) ?? 0) - words);
  let most = { language: "", words: 0 };
  for (const [language, words] of counts) if (words > most.words) most = { language, words };
  return { ...most, counts };
}

/** Whether letters are of a script in which the language is written and few others are. */
export function isWrittenIn(language: string, letters: string): boolean {
  return writtenIn.some(([script, those]) => those.includes(language) && script.test(letters));
}

/** Whether the text around a phrase is clearly of another language than it; English is everywhere. */
export function isForeign(language: string, { words, counts }: Around): boolean {
  return language !== "en" && words >= foreignWordsMin && (counts.get(language) ?? 0) * 2 < words;
}
