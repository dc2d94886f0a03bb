import type { MatchToken, WordAtToken } from "./phrase-match.ts";
import { Gap, type Token, tokensOf } from "./text-tokens.ts";
import type { Reading, WordList } from "./word-list.ts";

export interface ReadToken extends MatchToken {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly words: WordAtToken[];
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export const spelledMin = 3;
const spelledMax = 48;
const spelledGapMax = 3;
const lettersOfOneMax = 6;

/** Splits a text into tokens, joins single letters into words and splits compounds. */
export function readTokens(text: string, list: WordList): ReadToken[] {
  const tokens = tokensOf(text);
  const reads: ReadToken[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const spelled = spelledAt(tokens, at, list);
    if (spelled) {
      reads.push(...readsOf(spelled.pieces, { ...tokens[at]!, end: tokens[spelled.last]!.end }, true));
      at = spelled.last;
    } else readWord(tokens[at]!, list, reads);
  }
  addWordsOfSigns(reads, list);
  return reads;
}

function readWord(token: Token, list: WordList, reads: ReadToken[]): void {
  const reading = list.read(token.text);
  if (reading.pieces.length > 0) reads.push(...readsOf(reading.pieces, token, false));
  else if (reading.words.length === 0 && reading.isRequired)
    // The sign separates two words instead of standing for a letter: "hi!there".
    for (const part of token.text.matchAll(/[^@$!|€]+/g)) {
      const start = token.start + part.index;
      const gap = part.index === 0 ? token.gap : Gap.sentence;
      reads.push(readOf(list.read(part[0]), { ...token, start, end: start + part[0].length, text: part[0], gap }));
    }
  else reads.push(readOf(reading, token));
}

function readOf({ words }: Reading, { start, end, text, isSign, gap }: Token): ReadToken {
  return { start, end, text, isSign, gap, words: [...words], isFirst: true, isLast: true };
}

/** `isSpelled`: each word counts by itself. Otherwise only the first begins and the last ends a match. */
function readsOf(pieces: readonly Reading[], token: Token, isSpelled: boolean): ReadToken[] {
  return pieces.map((piece, at) => ({
    ...readOf(piece, token),
    isSign: false,
    gap: at === 0 ? token.gap : Gap.none,
    isFirst: isSpelled || at === 0,
    isLast: isSpelled || at === pieces.length - 1,
  }));
}

/** Single letters with spaces, such as "k i l l", as the words that they spell. */
function spelledAt(
  tokens: readonly Token[],
  first: number,
  list: WordList,
): { last: number; pieces: readonly Reading[] } | undefined {
  let letters = letterOf(tokens[first]!, list);
  if (letters === "" || (first > 0 && isNear(tokens, first) && letterOf(tokens[first - 1]!, list) !== ""))
    return undefined;
  let last = first;
  while (last + 1 < tokens.length && last - first < spelledMax && isNear(tokens, last + 1)) {
    const letter = letterOf(tokens[last + 1]!, list);
    if (letter === "") break;
    letters += letter;
    last += 1;
  }
  if (last - first + 1 < spelledMin) return undefined;
  const pieces = list.split(letters);
  return pieces.length > 0 && pieces.length <= (last - first + 1) / 2 ? { last, pieces } : undefined;
}

function isNear(tokens: readonly Token[], at: number): boolean {
  return tokens[at]!.start - tokens[at - 1]!.end <= spelledGapMax;
}

function letterOf({ text, isSign }: Token, list: WordList): string {
  if (isSign || text.length > lettersOfOneMax) return "";
  const { plain, isLetter } = list.read(text);
  return isLetter ? plain : "";
}

/** In scripts without spaces, consecutive signs also form words of several signs, whatever separates them. */
function addWordsOfSigns(reads: readonly ReadToken[], list: WordList): void {
  for (const [first, token] of reads.entries()) {
    if (!token.isSign) continue;
    let signs = "";
    for (let at = first; reads[at]?.isSign; at += 1) {
      signs += list.read(reads[at]!.text).plain;
      const word = list.wordOfSigns(signs);
      if (word === undefined) break;
      if (word) token.words.push(word);
    }
  }
}
