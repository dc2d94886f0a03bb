import { contactsInWords } from "@fava/wire/personal-data.ts";
import { numberSigns, numberWords, numberWordsMin } from "@fava/wire/personal-data-spoken.ts";
import { foldText } from "@fava/wire/text-folding.ts";
import { abusePatterns, englishInsultWords, englishLook, plainLetters } from "./abuse-scan.ts";

/** Scripts that write vowels as marks, after which a pattern sees a word begin, and before which it sees one end. */
const writtenWithMarks = /[\p{Script=Devanagari}\p{Script=Thai}]/u;
const edgesAtMarks = new RegExp(`^ (?=${writtenWithMarks.source})|(?<=${writtenWithMarks.source}) $`, "gu");

/**
 * Of a pattern over folded text, words one of which stands in every plain line that it matches: what a line has to hold
 * before it is worth being looked through. A plain line has letters, and marks where a word has them; anything else in it
 * is written as one space, also at both ends.
 *
 * @throws Error where nothing has to stand in a match: every line would have to be looked through.
 */
export function requiredWords(pattern: RegExp): readonly string[] {
  const required = requiredOf(new PatternReader(pattern.source).alternatives());
  if (!required) throw new Error(`nothing stands in every match of ${pattern.source.slice(0, 80)}`);
  return required.map((word) => word.replace(cut, "").replaceAll(edgesAtMarks, ""));
}

/**
 * What the matches of a part are: one of a few texts (none of them: it matches no plain line), or more than that, in
 * which one of these texts has to stand; null where nothing has to.
 */
type Part = { readonly exact: readonly string[] } | { readonly required: readonly string[] | null };

/** More are not told apart: with fewer, words of every day decide; with more, the table of a line grows and tells no more. */
const textsMax = 1500;
/** Of longer ones the end is looked for, which is as rare; a Chinese sign tells as much as three letters. */
const lettersMax = 11;
const chineseSignsMax = 4;
const firstChineseSign = 0x2e80;
/** Stands before the end of a word whose beginning is gone. */
const cut = "…";
const nothing: Part = { exact: [""] };
const space: Part = { exact: [" "] };
const never: Part = { exact: [] };
const anything: Part = { required: null };

/** In a text without digits these all say that no letter stands here. */
const wordEdges = new Set(
  ["[\\p{L}\\p{N}]", "\\p{L}", "[\\p{L}]", "[\\p{L}\\p{M}]"].flatMap((sign) => [`(?<!${sign})`, `(?!${sign})`]),
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
  if (/[\dA-Z]/.test(sign)) return never;
  return /[\p{L}\p{M}]/u.test(sign) ? { exact: [sign] } : space;
}

function oneOf(parts: readonly Part[]): Part {
  if (parts.length === 1) return parts[0]!;
  const exact = new Set(parts.flatMap((part) => ("exact" in part ? part.exact : [])));
  if (parts.every((part) => "exact" in part) && exact.size <= textsMax) return { exact: [...exact] };
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
    const grown = allJoined(texts, part.exact);
    if (grown.length > textsMax) settle();
    texts = grown.length > textsMax ? part.exact : grown;
  }
  if (isExact) return { exact: texts };
  return { required: rarer(best, requiredOf({ exact: texts })) };
}

/** Each with each, or the second alone where its beginning is gone; all between two words is one space. */
function allJoined(befores: readonly string[], afters: readonly string[]): readonly string[] {
  const texts = new Set<string>();
  for (const before of befores)
    for (const after of afters) {
      if (after.startsWith(cut)) texts.add(after);
      else texts.add(endOf(before.endsWith(" ") && after.startsWith(" ") ? before + after.slice(1) : before + after));
    }
  return [...texts];
}

function endOf(text: string): string {
  const max = text.charCodeAt(text.length - 1) < firstChineseSign ? lettersMax : chineseSignsMax;
  return text.length - (text.startsWith(cut) ? cut.length : 0) <= max ? text : cut + text.slice(-max);
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
  return texts.reduce((sum, text) => sum + 6 ** -(text.length + 2 * (text.match(/\p{Script=Han}/gu)?.length ?? 0)), 0);
}

/**
 * What a sign is in a line: one for which the line is looked through; a letter, of a script that writes its vowels as
 * marks or of another; a Korean vowel alone, which folding may join with what stands before it; a mark that is in a word
 * of the table, or in none; one that is written otherwise once a text is composed; what folding leaves out; or what stands
 * between words, of which some may also stand between the letters of one that is spelled, and one makes a link.
 */
const Nature = {
  unknown: 0,
  odd: 1,
  invisible: 2,
  letter: 3,
  vowelAlone: 4,
  letterWithMarks: 5,
  knownMark: 6,
  mark: 7,
  composable: 8,
  between: 9,
  spelling: 10,
  dot: 11,
} as const;
type Nature = (typeof Nature)[keyof typeof Nature];

/** Symbols of a table: what stands between words, a letter that is in none of them, and from there on each letter that is. */
const between = 0;
const otherLetter = 1;
const latinLetters = "abcdefghijklmnopqrstuvwxyz";
const latinSymbols = otherLetter + 1 + latinLetters.length;
const symbolsMax = 1024;

/** Signs are numbered by their code, and the pictures of a higher plane behind all of the lowest. */
const lowestPlane = 0x1_0000;
const firstPicture = 0x1_f000;
const lastPicture = 0x1_faff;
const signKinds = lowestPlane + lastPicture - firstPicture + 1;
/** Of each sign, learnt where it is first seen. */
const natures = new Uint8Array(signKinds);
const symbols = new Uint16Array(signKinds);
/** The symbol of what a sign is to the English list, for which many signs are letters of ASCII. */
const looks = new Uint16Array(signKinds);

const spaceCode = 32;
/** So many letters on their own may spell a word. */
const spelledMin = 3;
/** No English insult is shorter, with drawn-out letters counted once. */
const insultMin = 3;
/** Folding takes this capital apart, and not all that is looked for forgets its dot. */
const dottedCapital = "İ";

/** What ends where a walk through a line stands: nothing of note, the name of a digit, an ending of links, or a word that decides. */
const Found = { nothing: 0, number: 1, ending: 2, word: 3 } as const;
type Found = (typeof Found)[keyof typeof Found];

/**
 * Whether a line is so plain that it holds nothing the text rules look for (rules TEXT-*): letters of any script, pictures
 * and the signs of sentences, and none of the words that have to stand in whatever is found. Most lines are, and are told
 * by a walk through their letters; any other is looked through by the scanners, which alone decide.
 */
export function isPlainLine(text: string): boolean {
  if (!text.includes(dottedCapital)) return holdsNothing(text);
  const readings = ["I", "i "].map((plain) => text.replaceAll(dottedCapital, plain));
  return !/İ\p{M}/u.test(text) && readings.every(isPlainLine);
}

function holdsNothing(text: string, isComposed = false): boolean {
  // What stands between words stands at both ends, too.
  let state = words.next(0, between);
  let lastSymbol = between;
  let insultState = englishInsults.next(0, between);
  let lastLook = between;
  let lastNature: number = Nature.between;
  let lettersOfWord = 0;
  let lettersAlone = 0;
  let lettersSinceSign = 0;
  let numbers = 0;
  let hasDot = false;
  let areMarksComposed = isComposed;
  for (let at = 0; at <= text.length; at += 1) {
    const sign = signAt(text, at);
    if (sign >= lowestPlane) at += 1;
    const nature = natures[sign] || learn(sign);
    if (nature === Nature.odd) return false;

    const look = looks[sign]!;
    // A sign that only looks like a letter may begin an insult behind anything.
    if (look <= otherLetter) lettersSinceSign = 0;
    else if (lettersSinceSign > 0 ? look !== lastLook : nature >= Nature.between) lettersSinceSign += 1;
    if (lettersSinceSign >= insultMin) return false;
    if (look !== lastLook) {
      lastLook = look;
      insultState = englishInsults.next(insultState, look);
      if (englishInsults.found[insultState] !== Found.nothing) return false;
    }

    if (nature === Nature.invisible) continue;
    if (nature <= Nature.letterWithMarks) {
      if (lastNature === Nature.dot && look > otherLetter) return false;
      if (lastNature === Nature.knownMark && nature !== Nature.letterWithMarks) return false;
      if (nature === Nature.vowelAlone && text.slice(at - 1, at + 1).normalize("NFKC").length < 2) return false;
      lettersOfWord += 1;
    } else {
      if (lettersOfWord > 0) lettersAlone = lettersOfWord === 1 ? lettersAlone + 1 : 0;
      if (lettersAlone >= spelledMin) return false;
      if (nature < Nature.spelling) lettersAlone = 0;
      lettersOfWord = 0;
      if (nature === Nature.dot) hasDot = true;
      if (nature < Nature.between) {
        if (!areMarksComposed && composed(text) !== text) return holdsNothing(composed(text), true);
        areMarksComposed = true;
        if (lastNature >= Nature.between) return false;
        if (nature === Nature.knownMark && lastNature <= Nature.vowelAlone) return false;
      }
    }
    lastNature = nature;

    const symbol = symbols[sign]!;
    if (symbol === between && lastSymbol === between) continue;
    lastSymbol = symbol;
    state = words.next(state, symbol);
    const found = words.found[state];
    if (found === Found.word || (found === Found.ending && hasDot)) return false;
    if (found === Found.number) numbers += 1;
  }
  return numbers < numberWordsMin;
}

/** The number of the sign that begins at a place of the text; a space at its end. */
function signAt(text: string, at: number): number {
  if (at === text.length) return spaceCode;
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdbff) return code;
  const picture = text.codePointAt(at)!;
  return picture >= firstPicture && picture <= lastPicture ? lowestPlane + picture - firstPicture : code;
}

/** Notes all that is known of a sign; its nature. */
function learn(sign: number): Nature {
  const written = String.fromCodePoint(sign < lowestPlane ? sign : sign - lowestPlane + firstPicture);
  const folded = foldText(written);
  const look = englishLook(written);
  const isWordSign = /[\p{L}\p{M}\p{N}]/u.test(written);
  looks[sign] = /^[a-z]$/.test(look) ? symbolOf(look) : isWordSign ? otherLetter : between;
  const nature = natureOf(written, folded);
  const isInWords = nature >= Nature.letter && nature <= Nature.knownMark;
  symbols[sign] = isInWords ? symbolOf(folded) : between;
  natures[sign] = nature;
  return nature;
}

function natureOf(written: string, folded: string): Nature {
  if (folded === "") return Nature.invisible;
  // A dot above, which the scan for abuse leaves out.
  if (folded === "\u0307") return Nature.odd;
  if (/[\p{C}\p{N}]/u.test(written) || /\p{N}/u.test(folded)) return Nature.odd;
  if (composed(written) !== written) return Nature.composable;
  if (/\p{L}/u.test(written)) return letterNature(written, folded);
  if (/\p{M}/u.test(written))
    return folded !== written ? Nature.odd : symbolOf(folded) !== otherLetter ? Nature.knownMark : Nature.mark;
  const isPlain = folded === written ? /[^!-~]/.test(written) : false;
  if (!isPlain && !/^[ ,.!?'";:)~-]+$/.test(folded)) return Nature.odd;
  if (folded.includes(".")) return Nature.dot;
  return /[\s-]/.test(folded) ? Nature.spelling : Nature.between;
}

function letterNature(written: string, folded: string): Nature {
  // Korean that is not written in syllables, which folding makes of it.
  if (/[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/.test(written)) return Nature.odd;
  if (/^[\u1161-\u1175]$/.test(folded)) return Nature.vowelAlone;
  if (/^[\u1100-\u1112]$/.test(folded)) return Nature.letter;
  if (written.normalize("NFKC") !== written || folded.length > 1) return Nature.odd;
  return writtenWithMarks.test(written) ? Nature.letterWithMarks : Nature.letter;
}

/** As the scanners compose it, and with the vowel am of Thai and Lao in the two parts that folding makes of it. */
function composed(text: string): string {
  return text.normalize("NFC").replaceAll("\u0e33", "\u0e4d\u0e32").replaceAll("\u0eb3", "\u0ecd\u0eb2");
}

/** Of the signs of words, and of the letters that are taken for them. */
const wordSymbols = new Map<string, number>();
for (const letter of latinLetters) newSymbol(letter);

/** Of a folded letter or mark. */
function symbolOf(letter: string): number {
  return wordSymbols.get(comparable(letter)) ?? otherLetter;
}

/** One of the letters that some of the scanners take for each other. */
function comparable(letter: string): string {
  return letter === "ς" ? "σ" : plainLetters(letter);
}

/** A word, or several, as a line is walked through. */
function symbolsOf(word: string): number[] {
  return Array.from(word, (sign) => wordSymbols.get(sign) ?? newSymbol(sign));
}

function newSymbol(sign: string): number {
  if (/\p{M}/u.test(sign) && !writtenWithMarks.test(sign))
    throw new Error(`the mark ${sign} is of a script without marks`);
  const letter = comparable(sign);
  const symbol = /[\p{L}\p{M}]/u.test(sign) ? (wordSymbols.get(letter) ?? otherLetter + 1 + wordSymbols.size) : between;
  if (symbol === symbolsMax) throw new Error("the letters of the words are too many");
  wordSymbols.set(letter, symbol).set(sign, symbol);
  return symbol;
}

/** Finds any of many words in one walk through a line (Aho and Corasick, 1975); a walk begins at state 0. */
class WordTable {
  /** What ends at a state. */
  readonly found: Uint8Array;
  /** Of each state the longest other with which its letters end: from there a walk goes on where its word does not. */
  readonly #shorter: Uint16Array;
  /** The next state by state and symbol of a Latin line, which needs one look for each. */
  readonly #latin: Uint16Array;
  /** Steps by any other symbol, each at the first free place from its own on, and the states to which they lead. */
  readonly #steps: Int32Array;
  readonly #targets: Uint16Array;
  /** Leaves as many bits of a number of 32 as there are places. */
  readonly #spread: number;

  /** @param statesMax a power of two up to 2 ** 16; so many beginnings of words may differ, the empty one among them. */
  constructor(entries: readonly (readonly [string, Found])[], statesMax: number) {
    this.found = new Uint8Array(statesMax);
    this.#shorter = new Uint16Array(statesMax);
    this.#latin = new Uint16Array(statesMax * latinSymbols);
    this.#steps = new Int32Array(statesMax);
    this.#targets = new Uint16Array(statesMax);
    this.#spread = Math.clz32(statesMax - 1);
    let words = entries.map(([word, what]) => ({ symbols: symbolsOf(word), what, state: 0 }));
    let states = 1;
    // A letter of all words after the other, since the shorter states have to be there before the longer.
    for (let length = 1; words.length > 0; length += 1) {
      for (const word of words) {
        const symbol = word.symbols[length - 1]!;
        let state = this.#step(word.state, symbol);
        if (state === 0) {
          state = states++;
          if (state === statesMax) throw new Error("the words are too many for their table");
          const shorter = length === 1 ? 0 : this.#walk(this.#shorter[word.state]!, symbol);
          this.#shorter[state] = shorter;
          this.found[state] = this.found[shorter]!;
          this.#add(word.state, symbol, state);
        }
        word.state = state;
        if (length === word.symbols.length) this.found[state] = Math.max(this.found[state]!, word.what);
      }
      words = words.filter(({ symbols: { length: all } }) => all > length);
    }
    for (let place = latinSymbols; place < states * latinSymbols; place += 1) {
      const shorter = this.#shorter[Math.floor(place / latinSymbols)]!;
      this.#latin[place] ||= this.#latin[shorter * latinSymbols + (place % latinSymbols)]!;
    }
  }

  /** The state behind one more symbol. */
  next(state: number, symbol: number): number {
    return symbol < latinSymbols ? this.#latin[state * latinSymbols + symbol]! : this.#walk(state, symbol);
  }

  /** To where the longest of the words goes on in which a walk may be. */
  #walk(state: number, symbol: number): number {
    for (let from = state; ; from = this.#shorter[from]!) {
      const next = this.#step(from, symbol);
      if (next !== 0 || from === 0) return next;
    }
  }

  /** The state to which a word goes on, or 0. */
  #step(state: number, symbol: number): number {
    return symbol < latinSymbols
      ? this.#latin[state * latinSymbols + symbol]!
      : this.#targets[this.#placeOf(state * symbolsMax + symbol)]!;
  }

  #add(state: number, symbol: number, next: number): void {
    if (symbol < latinSymbols) {
      this.#latin[state * latinSymbols + symbol] = next;
      return;
    }
    const step = state * symbolsMax + symbol;
    const place = this.#placeOf(step);
    this.#steps[place] = step;
    this.#targets[place] = next;
  }

  /** Where a step stands, or would; one place at least stays free, since there are more states than steps. */
  #placeOf(step: number): number {
    let place = Math.imul(step, 0x9e37_79b1) >>> this.#spread;
    while (this.#targets[place] !== 0 && this.#steps[place] !== step) place = (place + 1) % this.#steps.length;
    return place;
  }
}

const words = new WordTable(
  [
    ...[...abusePatterns, ...contactsInWords].flatMap(requiredWords).map((word) => [word, Found.word] as const),
    ...numberWords.map((word) => [` ${word} `, Found.number] as const),
    ...(numberSigns.match(/\p{L}/gu) ?? []).map((sign) => [sign, Found.number] as const),
    ...["com", "net", "org"].map((ending) => [` ${ending} `, Found.ending] as const),
  ],
  2 ** 16,
);
const englishInsults = new WordTable(
  englishInsultWords.map((word) => [onceEach(` ${word}`), Found.word] as const),
  2 ** 8,
);

/** Each run of a sign as one. */
function onceEach(text: string): string {
  return text.replaceAll(/(.)\1+/g, "$1");
}
