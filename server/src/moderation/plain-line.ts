import { contactsInWords } from "@fava/wire/personal-data.ts";
import { numberWords, numberWordsMin } from "@fava/wire/personal-data-spoken.ts";
import { abusePatterns, englishInsultWords } from "./abuse-scan.ts";
import { requiredWords, runsAsOne } from "./required-words.ts";

/** What a sign is: a letter from 0 on, a sign between words, or one for which a line is looked through. */
const between = 26;
const kinds = 27;
const odd = 27;
const signKinds = new Uint8Array(128).fill(odd);
for (let letter = 0; letter < between; letter += 1) signKinds[97 + letter] = signKinds[65 + letter] = letter;
for (const sign of " ,.!?'-\";:)") signKinds[sign.charCodeAt(0)] = between;
const spaceCode = 32;
const dotCode = 46;
/** Before a letter these are part of a link, or stand for a letter. */
const oddBeforeLetter = codesOf(".!:");
/** A link may be written with a space behind its dot. */
const spacedEnding = /\.[ .]*(?:com|net|org)/i;
/** So many letters on their own, with such signs between them, may spell a word. */
const spelling = codesOf(" .-");
const spelledMin = 3;

/** What ends where a walk through a line stands: nothing of note, a word that decides, or the name of a digit. */
const Found = { nothing: 0, word: 1, number: 2 } as const;

/**
 * Whether a line is so plain that it holds nothing the text rules look for (rules TEXT-*): letters of ASCII, spaces and
 * the signs of sentences, and none of the words that have to stand in whatever is found. Most lines are, and are told in
 * one walk through their letters; any other is looked through by the scanners, which alone decide.
 */
export function isPlainLine(text: string): boolean {
  let state = words.next[between]!;
  let lastKind = between;
  let lastCode = spaceCode;
  let lettersOfWord = 0;
  let lettersAlone = 0;
  let numbers = 0;
  let hasDot = false;
  for (let at = 0; at <= text.length; at += 1) {
    // The end of the line ends its last word.
    const code = at < text.length ? text.charCodeAt(at) : spaceCode;
    const kind = code < signKinds.length ? signKinds[code]! : odd;
    if (kind === odd) return false;
    if (kind === between) {
      if (lettersOfWord > 0) lettersAlone = lettersOfWord === 1 ? lettersAlone + 1 : 0;
      if (lettersAlone >= spelledMin) return false;
      if (!spelling.has(code)) lettersAlone = 0;
      lettersOfWord = 0;
      hasDot ||= code === dotCode;
    } else {
      if (oddBeforeLetter.has(lastCode)) return false;
      lettersOfWord += 1;
    }
    lastCode = code;
    if (kind === lastKind) continue;
    lastKind = kind;
    state = words.next[state * kinds + kind]!;
    const found = words.found[state];
    if (found === Found.word) return false;
    if (found === Found.number) numbers += 1;
  }
  return numbers < numberWordsMin && !(hasDot && spacedEnding.test(text));
}

/** As many as 16 bits tell apart, since what is small stays in the caches of the processor. */
const statesMax = 65_536;

interface WordTable {
  /** The next state, by state and kind of sign; the walk begins at 0. */
  readonly next: Uint16Array;
  /** What ends at a state. */
  readonly found: Uint8Array;
}

const words = wordTable([
  ...[...abusePatterns, ...contactsInWords].flatMap(requiredWords).map((word) => [word, Found.word] as const),
  ...englishInsultWords.map((word) => [runsAsOne(word), Found.word] as const),
  ...numberWords.filter(isAscii).map((word) => [runsAsOne(` ${word} `), Found.number] as const),
]);

/** Finds any of many words in one walk through a line (Aho and Corasick, 1975). */
function wordTable(entries: readonly (readonly [string, number])[]): WordTable {
  const next = new Uint16Array(statesMax * kinds);
  const found = new Uint8Array(statesMax);
  let states = 1;
  for (const [word, what] of entries) {
    let state = 0;
    for (let at = 0; at < word.length; at += 1) {
      const step = state * kinds + signKinds[word.charCodeAt(at)]!;
      if (next[step] === 0) {
        if (states === statesMax) throw new Error("the words are too many for their table");
        next[step] = states++;
      }
      state = next[step]!;
    }
    found[state] = strongest(found[state]!, what);
  }
  // Where a word does not go on, the walk goes on with the longest other that it may be in: breadth first, as that is
  // always a shorter one.
  const fallback = new Int32Array(states);
  const queue = [0];
  for (const state of queue) {
    found[state] = strongest(found[state]!, found[fallback[state]!]!);
    for (let kind = 0; kind < kinds; kind += 1) {
      const step = state * kinds + kind;
      const child = next[step]!;
      const other = state === 0 ? 0 : next[fallback[state]! * kinds + kind]!;
      if (child === 0) {
        next[step] = other;
      } else {
        fallback[child] = other;
        queue.push(child);
      }
    }
  }
  return { next: next.slice(0, states * kinds), found: found.slice(0, states) };
}

function strongest(one: number, other: number): number {
  return one === Found.word || other === Found.word ? Found.word : Math.max(one, other);
}

function codesOf(signs: string): ReadonlySet<number> {
  return new Set(Array.from(signs, (sign) => sign.charCodeAt(0)));
}

function isAscii(word: string): boolean {
  return /^[a-z]+$/.test(word);
}
