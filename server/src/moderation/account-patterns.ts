import { matchesOf } from "@fava/wire/text-folding.ts";

/** A stretch of a text, in UTF-16 units, the end excluded. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** No letter or digit stands before, and none behind. */
export const starts = "(?<![\\p{L}\\p{N}])";
export const ends = "(?![\\p{L}\\p{N}])";

/** A pattern of these parts, one after the other. */
export const pattern = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "u");
/** The same for `firstOf`, which looks at every match. */
export const everywhere = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "gu");
/** Matches one of these as a whole word or phrase. */
export const wholeWord = (words: Iterable<string>): RegExp => pattern(starts, anyOf(words), ends);

/** Source of a pattern that matches one of these words, the longest first. */
export function anyOf(words: Iterable<string>): string {
  const sources = [...new Set(words)].toSorted((one, other) => other.length - one.length).map(escaped);
  return `(?:${sources.join("|")})`;
}

/** The same for Chinese words, which people write with spaces in them; Latin letters at their ends are whole words. */
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

/** The first match that `isFound` accepts. */
export function firstOf(
  shape: RegExp,
  text: string,
  isFound: (found: RegExpExecArray) => boolean,
): RegExpExecArray | null {
  return matchesOf(shape, text).find(isFound) ?? null;
}

/** Where a pattern matched. */
export function stretchOf(found: RegExpExecArray | null | undefined): Stretch | undefined {
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}
