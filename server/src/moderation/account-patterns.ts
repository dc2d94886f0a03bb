import { matchesOf } from "@fava/wire/text-folding.ts";

/** A range of a text in UTF-16 units, the end excluded. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Boundaries of a word: no letter or digit directly before `starts`, none directly after `ends`. */
export const starts = "(?<![\\p{L}\\p{N}])";
export const ends = "(?![\\p{L}\\p{N}])";

export const pattern = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "u");
/** Like `pattern`, with the flag that `firstOf` needs to try every match. */
export const everywhere = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "gu");
export const wholeWord = (words: Iterable<string>): RegExp => pattern(starts, anyOf(words), ends);

/** An alternation of the words, longest first, because the engine takes the first alternative that fits. */
export function anyOf(words: Iterable<string>): string {
  const sources = [...new Set(words)].toSorted((one, other) => other.length - one.length).map(escaped);
  return `(?:${sources.join("|")})`;
}

/** Like `anyOf`, for Chinese words: spaces may separate characters, and Latin letters at the ends are whole words. */
export function anyOfSpaced(words: Iterable<string>): string {
  const sources = [...new Set(words)]
    .toSorted((one, other) => other.length - one.length)
    .map((word) => {
      const spaced = Array.from(word, escaped).join("\\s?");
      return `${/^[a-z]/.test(word) ? "(?<![a-z])" : ""}${spaced}${/[a-z]$/.test(word) ? "(?![a-z])" : ""}`;
    });
  return `(?:${sources.join("|")})`;
}

function escaped(word: string): string {
  return word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

export function firstOf(
  shape: RegExp,
  text: string,
  isFound: (found: RegExpExecArray) => boolean,
): RegExpExecArray | null {
  return matchesOf(shape, text).find(isFound) ?? null;
}

export function rangeOf(found: RegExpExecArray | null | undefined): TextRange | undefined {
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}
