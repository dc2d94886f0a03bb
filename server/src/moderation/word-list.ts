import { addTo, type WordAtToken } from "./phrase-match.ts";
import { formsOf, withoutRepeats, plainForm, substituteSigns, withoutMarks } from "./word-forms.ts";
import { tokensOf } from "./text-tokens.ts";

export interface Signals {
  readonly isRequired: boolean;
  /** `isContact`: a word of contact data. `isDigit`: a word for a digit; phone numbers need at least four. */
  readonly isContact: boolean;
  readonly isDigit: boolean;
}

const noSignals: Signals = { isRequired: false, isContact: false, isDigit: false };

export interface Reading extends Signals {
  readonly words: readonly WordAtToken[];
  /** Listed words that make up this one if it is not listed itself: "killyourself". */
  readonly pieces: readonly Reading[];
  readonly plain: string;
  readonly isLetter: boolean;
}

const readingsMax = 30_000;
const cachedLettersMax = 40;
const pieceLettersMax = 16;
const compoundMin = 7;
const compoundMax = 60;
const bareMin = 5;
const endingMax = 12;
/** Without its marks, "kürt" (Kurd) would become "kurt" (wolf). */
const notBare = /^kürt/;
/** Languages in which marks distinguish words. Their lists contain the spellings without marks. */
const marksMatter = new Set(["vi"]);
const rareLength = 8;
/** How many letters of an alphabet one sign of a script without spaces counts for, in estimates of rarity. */
const lettersOfSign = 3;
const asciiWord = /^[a-z]+$/;
const hasStandIn = new RegExp(`[${substituteSigns}]`);

export class WordList {
  readonly #numbers = new Map<string, readonly number[]>();
  readonly #ids = new Map<string, number[]>();
  readonly #onceIds = new Map<string, number[]>();
  readonly #prefixes = new Map<string, number>();
  readonly #prefixLengths = new Set<number>();
  /** In scripts without spaces, words by their signs; null if the signs only begin a word. */
  readonly #signRows = new Map<string, WordAtToken | null>();
  /** By word id: bits of the languages whose phrases use the word, how many phrases do, and the word's own rarity. */
  readonly #languagesOf: number[] = [];
  readonly #uses: number[] = [];
  readonly #rarity: number[] = [];
  readonly #languages: string[] = [];
  readonly #required = new Set<number>();
  readonly #contact = new Set<number>();
  readonly #digits = new Set<number>();
  /** A plain map, which is faster than an LRU cache. When full, it is cleared. */
  readonly #readings = new Map<string, Reading>();

  /** Registers words of which every match of a phrase contains one. */
  noteRequired(words: Iterable<number>): void {
    for (const id of words) this.#required.add(id);
  }

  /** Registers words of contact data, which may have any ending, and words for digits. */
  noteContacts({ words, digits }: { words: readonly string[]; digits: readonly string[] }): void {
    for (const word of words) for (const id of this.numbersOf(word, "", true).slice(0, 1)) this.#contact.add(id);
    for (const word of digits) for (const id of this.numbersOf(word, "", false).slice(0, 1)) this.#digits.add(id);
  }

  /** Estimates how often a word occurs in texts: less for long words and for words of few phrases. */
  frequency(id: number): number {
    return this.#uses[id]! / this.#rarity[id]!;
  }

  /** Ids of the words that make up a word of a phrase. `isPrefix`: any ending may follow. */
  numbersOf(written: string, language: string, isPrefix: boolean): readonly number[] {
    const key = (marksMatter.has(language) ? `${language}:` : "") + (isPrefix ? `${written}*` : written);
    let numbers = this.#numbers.get(key);
    if (!numbers) this.#numbers.set(key, (numbers = this.#newNumbers(written, language, isPrefix)));
    const bit = this.#bitOf(language);
    for (const id of numbers) {
      this.#uses[id]! += 1;
      this.#languagesOf[id]! |= bit;
    }
    return numbers;
  }

  #newNumbers(written: string, language: string, isPrefix: boolean): readonly number[] {
    // A cached reading of a word would hide that the word is now listed.
    if (this.#readings.size > 0) this.#readings.clear();
    if (asciiWord.test(written)) return [this.#numberOf([written], isPrefix)];
    const numbers: number[] = [];
    const tokens = tokensOf(written);
    for (let at = 0; at < tokens.length; at += 1) {
      let end = at + 1;
      if (tokens[at]!.isSign) while (tokens[end]?.isSign) end += 1;
      if (end > at + 1) numbers.push(this.#signRowOf(tokens.slice(at, end).map(({ text }) => plainForm(text))));
      else numbers.push(this.#numberOf(spellingsOf(tokens[at]!.text, language), isPrefix && end === tokens.length));
      at = end - 1;
    }
    // A new id that matches no token, since the word has no letters.
    return numbers.length > 0 ? numbers : [this.#add(1)];
  }

  /** One bit per language; there are fewer than 31. */
  #bitOf(language: string): number {
    if (language === "") return 0;
    const known = this.#languages.indexOf(language);
    return 1 << (known < 0 ? this.#languages.push(language) - 1 : known);
  }

  #add(letters: number): number {
    this.#rarity.push(3 ** Math.min(letters, rareLength));
    this.#languagesOf.push(0);
    return this.#uses.push(0) - 1;
  }

  #numberOf(spellings: readonly string[], isPrefix: boolean): number {
    const [spelling = ""] = spellings;
    const known = isPrefix ? this.#prefixes.get(spelling) : this.#ids.get(spelling)?.[0];
    const id = known ?? this.#add(spelling.length);
    for (const one of spellings)
      if (isPrefix) {
        this.#prefixes.set(one, id);
        this.#prefixLengths.add(one.length);
      } else {
        addTo(this.#ids, one, id);
        const once = withoutRepeats(one);
        if (once !== one) addTo(this.#onceIds, once, id);
      }
    return id;
  }

  #signRowOf(signs: readonly string[]): number {
    let row = "";
    for (const sign of signs) {
      row += sign;
      if (!this.#signRows.has(row)) this.#signRows.set(row, null);
    }
    const word = this.#signRows.get(row) ?? { id: this.#add(signs.length * lettersOfSign), length: signs.length };
    this.#signRows.set(row, word);
    return word.id;
  }

  /** Counts, per language, the tokens that are words of its lists. */
  languagesIn(tokens: readonly { readonly words: readonly WordAtToken[] }[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { words } of tokens) {
      let bits = 0;
      for (const { id } of words) bits |= this.#languagesOf[id]!;
      if (bits === 0) continue;
      for (const [at, language] of this.#languages.entries())
        if (bits & (1 << at)) counts.set(language, (counts.get(language) ?? 0) + 1);
    }
    return counts;
  }

  /** The word that these signs form; null if they only begin a word, undefined if they do neither. */
  wordOfSigns(signs: string): WordAtToken | null | undefined {
    return this.#signRows.get(signs);
  }

  read(written: string): Reading {
    if (written.length > cachedLettersMax) return this.#read(written);
    let reading = this.#readings.get(written);
    if (reading) return reading;
    if (this.#readings.size >= readingsMax) this.#readings.clear();
    reading = this.#read(written);
    // A copy, because a substring would keep the whole text in memory.
    this.#readings.set(Buffer.from(written, "utf16le").toString("utf16le"), reading);
    return reading;
  }

  #read(written: string): Reading {
    const forms = formsOf(written);
    const words = this.#wordsOf(forms);
    const pieces = words.length > 0 ? [] : this.#piecesOf(forms);
    const signals = this.signalsOf(words);
    const isRequired = signals.isRequired || pieces.length > 0 || hasStandIn.test(written);
    const plain = forms[0] ?? "";
    return { ...signals, isRequired, words, pieces, plain, isLetter: isOneLetter(plain) };
  }

  signalsOf(words: readonly WordAtToken[]): Signals {
    return {
      isRequired: words.some(({ id }) => this.#required.has(id)),
      isContact: words.some(({ id }) => this.#contact.has(id)),
      isDigit: words.some(({ id }) => this.#digits.has(id)),
    };
  }

  #wordsOf(forms: readonly string[]): WordAtToken[] {
    const ids = new Set<number>();
    for (const form of forms) {
      const isOnce = form.startsWith("~");
      const word = isOnce ? form.slice(1) : form;
      for (const id of this.#ids.get(word) ?? []) ids.add(id);
      if (isOnce) for (const id of this.#onceIds.get(word) ?? []) ids.add(id);
      for (const length of this.#prefixLengths) {
        if (length > word.length || word.length - length > endingMax) continue;
        const id = this.#prefixes.get(word.slice(0, length));
        if (id !== undefined) ids.add(id);
      }
    }
    return Array.from(ids, (id) => ({ id, length: 1 }));
  }

  #piecesOf(forms: readonly string[]): readonly Reading[] {
    for (const form of forms) {
      if (form.length < compoundMin || form.length > compoundMax || !/^\p{L}+$/u.test(form)) continue;
      const pieces = this.split(form);
      if (pieces.length > 1) return pieces;
    }
    return [];
  }

  /** Splits letters into the fewest listed words; empty if that is impossible. */
  split(letters: string): readonly Reading[] {
    const fewest: (number | undefined)[] = [0];
    const from: number[] = [0];
    for (let end = 1; end <= letters.length; end += 1)
      for (let start = Math.max(0, end - pieceLettersMax); start < end; start += 1) {
        const before = fewest[start];
        if (before === undefined || (fewest[end] ?? Infinity) <= before + 1) continue;
        if (!this.#ids.has(letters.slice(start, end))) continue;
        fewest[end] = before + 1;
        from[end] = start;
      }
    if (fewest[letters.length] === undefined) return [];
    const pieces: Reading[] = [];
    for (let end = letters.length; end > 0; end = from[end]!) {
      const plain = letters.slice(from[end]!, end);
      const words = this.#wordsOf([plain]);
      pieces.unshift({ ...noSignals, words, pieces: [], plain, isLetter: false });
    }
    return pieces;
  }
}

function isOneLetter(plain: string): boolean {
  return plain.length === 1 || (plain.length === 2 && plain.codePointAt(0)! > 0xffff);
}

function spellingsOf(word: string, language: string): readonly string[] {
  const plain = plainForm(word);
  const bare = withoutMarks(plain);
  const isAlsoBare = bare !== plain && bare.length >= bareMin && !notBare.test(plain) && !marksMatter.has(language);
  return isAlsoBare ? [plain, bare] : [plain];
}
