import { matchesOf } from "@fava/wire/text-folding.ts";

/** A range of a text in UTF-16 units, the end excluded. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** No letter or digit before, none behind. */
export const starts = "(?<![\\p{L}\\p{N}])";
export const ends = "(?![\\p{L}\\p{N}])";

export const pattern = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "u");
/** The same for `firstOf`, which tries every match. */
export const everywhere = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "gu");
export const wholeWord = (words: Iterable<string>): RegExp => pattern(starts, anyOf(words), ends);

/** Longest first. */
export function anyOf(words: Iterable<string>): string {
  const sources = [...new Set(words)].toSorted((one, other) => other.length - one.length).map(escaped);
  return `(?:${sources.join("|")})`;
}

/** The same for Chinese words, which may contain spaces; Latin letters at their ends must be whole words. */
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
