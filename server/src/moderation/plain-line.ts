import { contactsInWords } from "@fava/wire/personal-data.ts";
import { numberWords, numberWordsMin } from "@fava/wire/personal-data-spoken.ts";
import { abusePatterns, englishInsultWords } from "./abuse-scan.ts";

/**
 * Of a pattern over folded text, words one of which stands in every plain line that it matches: what a line has to hold
 * before it is worth being looked through. A plain line has small letters of ASCII, and anything else in it is written as
 * one space, also at both ends; drawn out letters count once (`plainLine`).
 *
 * @throws Error where nothing has to stand in a match: every line would have to be looked through.
 */
export function requiredWords(pattern: RegExp): readonly string[] {
  const required = requiredOf(new PatternReader(pattern.source).alternatives());
  if (!required) throw new Error(`nothing stands in every match of ${pattern.source.slice(0, 80)}`);
  return required;
}

/** Each run of the same sign as one, as in a plain line. */
export function runsAsOne(text: string): string {
  return text.replaceAll(/(.)\1+/g, "$1");
}

/**
 * What the matches of a part are: one of a few texts (none of them: it matches no plain line), or more than that, in
 * which one of these texts has to stand; null where nothing has to.
 */
type Part = { readonly exact: readonly string[] } | { readonly required: readonly string[] | null };

/** More are not told apart: with fewer, words of every day decide; with more, the table of a line grows and tells no more. */
const textsMax = 1000;
const nothing: Part = { exact: [""] };
const space: Part = { exact: [" "] };
const never: Part = { exact: [] };
const anything: Part = { required: null };

/** In a text of letters of ASCII without digits these all say that no letter stands here. */
const wordEdges = new Set(
  ["[\\p{L}\\p{N}]", "\\p{L}", "[\\p{L}]", "[a-z]", "[\\p{L}\\p{M}]"].flatMap((sign) => [
    `(?<!${sign})`,
    `(?!${sign})`,
  ]),
);

/** Reads the source of a pattern with the flag `u`. */
class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    return oneOf(parts);
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at]!)) parts.push(this.#repeated());
    return inTurn(parts);
  }

  #repeated(): Part {
    const part = this.#atom();
    const quantifier = /^(?:[?*+]|\{(\d+)(,(\d*))?\})\??/.exec(this.#source.slice(this.#at, this.#at + 16));
    if (!quantifier) return part;
    this.#at += quantifier[0].length;
    const [sign, least, isRange, most] = quantifier;
    if (least === undefined)
      return times(part, { least: sign[0] === "+" ? 1 : 0, most: sign[0] === "?" ? 1 : Infinity });
    const upTo = isRange === undefined ? Number(least) : most === "" ? Infinity : Number(most);
    return times(part, { least: Number(least), most: upTo });
  }

  #atom(): Part {
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return this.#class();
    if (this.#take("\\")) return this.#escape();
    const sign = String.fromCodePoint(this.#source.codePointAt(this.#at)!);
    this.#at += sign.length;
    if (sign === ".") return anything;
    return sign === "^" || sign === "$" ? nothing : literal(sign);
  }

  #group(): Part {
    const begin = this.#at - 1;
    const [head] = /^(?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(this.#source.slice(this.#at, this.#at + 40))!;
    this.#at += head.length;
    const inside = this.alternatives();
    if (!this.#take(")")) throw new Error(`an open group in ${this.#source}`);
    if (!/^\?<?[=!]/.test(head)) return inside;
    return wordEdges.has(this.#source.slice(begin, this.#at)) ? space : nothing;
  }

  #class(): Part {
    const end = this.#source.indexOf("]", this.#at);
    const inside = this.#source.slice(this.#at, end);
    this.#at = end + 1;
    // Of ranges and kinds of signs nothing is told apart.
    if (/^\^|\\[pPdDSw]|[^\\]-./u.test(inside)) return anything;
    return oneOf(Array.from(inside.replaceAll("\\s", " ").replaceAll("\\", ""), literal));
  }

  #escape(): Part {
    const sign = this.#source[this.#at]!;
    this.#at += 1;
    if (sign === "p" || sign === "P") {
      this.#at = this.#source.indexOf("}", this.#at) + 1;
      return anything;
    }
    if (sign === "d") return never;
    if (sign === "s") return space;
    if (/[a-zA-Z0-9]/.test(sign)) throw new Error(`\\${sign} in ${this.#source}`);
    return literal(sign);
  }

  #take(sign: string): boolean {
    const isThere = this.#source.startsWith(sign, this.#at);
    if (isThere) this.#at += sign.length;
    return isThere;
  }
}

function literal(sign: string): Part {
  if (/[a-z]/.test(sign)) return { exact: [sign] };
  return /[\dA-Z]|[^ -~]/u.test(sign) ? never : space;
}

function oneOf(parts: readonly Part[]): Part {
  const exact = parts.flatMap((part) => ("exact" in part ? part.exact : []));
  const unique = [...new Set(exact)];
  if (parts.every((part) => "exact" in part) && unique.length <= textsMax) return { exact: unique };
  const required = parts.map(requiredOf);
  return { required: required.includes(null) ? null : [...new Set(required.flatMap((texts) => texts ?? []))] };
}

function inTurn(parts: readonly Part[]): Part {
  let texts: readonly string[] = [""];
  let best: readonly string[] | null = null;
  let isExact = true;
  const settle = () => {
    best = rarer(best, requiredOf({ exact: texts }));
    texts = [""];
    isExact = false;
  };
  for (const part of parts) {
    if ("exact" in part && part.exact.length === 0) return never;
    if (!("exact" in part)) {
      settle();
      best = rarer(best, part.required);
      continue;
    }
    if (texts.length * part.exact.length > textsMax) settle();
    texts = [...new Set(texts.flatMap((before) => part.exact.map((after) => joined(before, after))))];
  }
  if (isExact) return { exact: texts };
  return { required: rarer(best, requiredOf({ exact: texts })) };
}

/** Of two texts in which each run is one sign already. */
function joined(before: string, after: string): string {
  return before !== "" && before.at(-1) === after[0] ? before + after.slice(1) : before + after;
}

function times(part: Part, { least, most }: { least: number; most: number }): Part {
  if (most === 0) return nothing;
  const isSpace = "exact" in part && part.exact.every((text) => text === " ");
  if (least === 0) {
    if ("exact" in part && (most === 1 || isSpace)) return oneOf([nothing, part]);
    return anything;
  }
  if (isSpace || (least === 1 && most === 1)) return part;
  return { required: requiredOf(part) };
}

function requiredOf(part: Part): readonly string[] | null {
  if (!("exact" in part)) return part.required;
  return part.exact.some((text) => text.trim() === "") ? null : part.exact;
}

/** Long words are rare, and few of them stand in fewer lines than many. */
function rarer(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (!one || !other) return one ?? other;
  return frequency(one) <= frequency(other) ? one : other;
}

function frequency(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 6 ** -text.length, 0);
}

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
