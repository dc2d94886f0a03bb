import { parsePhrase, type PhrasePart, type PhraseSequence } from "./phrase-grammar.ts";
import { formsOf, oncePerRun, plainForm, standInSigns, withoutMarks } from "./word-forms.ts";
import { Gap, tokensOf } from "./text-tokens.ts";

/** A phrase, compiled: words are numbers, and a choice knows by its first words which of its options may begin. */
export type Sequence = readonly Step[];
interface Step {
  readonly node: Node;
  readonly isOptional: boolean;
}
/** `start` and `end` are places without a word: where a clause begins, and where one ends. */
type Node = number | "any" | Edge | Choice;
type Edge = "start" | "end";
const isEdge = (node: Node): node is Edge => node === "start" || node === "end";
interface Choice {
  readonly byFirst: ReadonlyMap<number, readonly Sequence[]>;
  /** Options that may begin with any word. */
  readonly others: readonly Sequence[];
  readonly options: readonly Sequence[];
}

/** What a word may be read as: numbers of words of the lists. */
export interface Reading {
  readonly ids: readonly number[];
  /** The words of the lists that it is made of, where it is none itself: "killyourself". */
  readonly pieces: readonly Reading[];
  /** The letter that it is, where it is only one. */
  readonly letter: string;
  /** Whether a phrase may stand where this word does. */
  readonly isTelling: boolean;
  /** Whether it is a word of contact data, or one of the four digits that a number has at least. */
  readonly isContact: boolean;
  readonly isDigit: boolean;
}

/** A token as phrases are matched with it. */
export interface ReadToken {
  readonly ids: readonly number[];
  readonly isSign: boolean;
  /** What is between it and the token before it. */
  readonly gap: Gap;
}

const readingsMax = 30_000;
const cachedLettersMax = 40;
const pieceLettersMax = 16;
const compoundMin = 7;
const compoundMax = 60;
const bareMin = 5;
const endingMax = 12;
/** Without its marks a Kurd would be a wolf. */
const notBare = /^kürt/;
/** In these languages marks make other words, and the lists hold the spellings without them. */
const marksMatter = new Set(["vi"]);
/** A word of the script counts for about as many words as a segmenter cuts from it. */
const anySignsMax = 5;
const anyWordsMax = 2;
const rareLength = 8;
const asciiWord = /^[a-z]+$/;
const hasStandIn = new RegExp(`[${standInSigns}]`);

/** The words of all phrases, by number, and how a written word is read as them. */
export class PhraseBook {
  readonly #known = new Map<string, number>();
  readonly #knownPrefixes = new Map<string, number>();
  readonly #ids = new Map<string, number[]>();
  readonly #spoken = new Map<number, number>();
  readonly #languageBits = new Map<string, number>();
  readonly #telling = new Set<number>();
  readonly #contact = new Set<number>();
  readonly #digits = new Set<number>();
  readonly #uses = new Map<number, number>();
  readonly #lengths = new Map<number, number>();
  readonly #prefixes = new Map<string, number>();
  readonly #prefixLengths = new Set<number>();
  readonly #onceIds = new Map<string, number[]>();
  /** A map is read several times as fast as a cache that keeps an order; a full one begins from nothing. */
  readonly #readings = new Map<string, Reading>();
  readonly #choices = new WeakMap<PhrasePart, Choice>();
  #count = 0;

  /** Notes that one of these words stands in every match of a phrase. */
  noteTelling(words: Iterable<number>): void {
    for (const id of words) this.#telling.add(id);
  }

  /** Notes words of contact data, with any ending, and those that say a digit. */
  noteContacts({ words, digits }: { words: readonly string[]; digits: readonly string[] }): void {
    const firstOf = (text: string) => this.compile(text, { language: "", classes: {} })[0]?.node;
    for (const id of words.map((word) => firstOf(`${word}*`))) if (typeof id === "number") this.#contact.add(id);
    for (const id of digits.map(firstOf)) if (typeof id === "number") this.#digits.add(id);
  }

  /** Notes that a phrase holds its words. */
  countUses(sequence: Sequence): void {
    for (const id of wordsOf(sequence)) this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
  }

  /** About how often a word stands in texts: long words are rare, and so are those that few phrases hold. */
  frequency(id: number): number {
    return (this.#uses.get(id) ?? 1) * 3 ** -Math.min(this.#lengths.get(id) ?? 1, rareLength);
  }

  /** Compiles a phrase of a language. */
  compile(
    text: string,
    { language, classes }: { language: string; classes: Record<string, readonly string[]> },
  ): Sequence {
    return this.#sequence(parsePhrase(text, classes), language);
  }

  #sequence(sequence: PhraseSequence, language: string): Sequence {
    const steps: Step[] = [];
    for (const { part, isOptional } of sequence) {
      if (part.kind === "any") steps.push({ node: "any", isOptional });
      else if (part.kind === "edge") steps.push({ node: part.side, isOptional });
      else if (part.kind === "choice") steps.push({ node: this.#choice(part, language), isOptional });
      else if (asciiWord.test(part.text))
        steps.push({ node: this.#wordId(part.text, language, part.isPrefix), isOptional });
      else {
        const words = tokensOf(part.text).map(({ text }, at, all) => ({
          node: this.#wordId(text, language, part.isPrefix && at === all.length - 1),
          isOptional: false,
        }));
        if (words.length === 1) steps.push({ node: words[0]!.node, isOptional });
        else if (isOptional) steps.push({ node: choiceOf([words]), isOptional });
        else steps.push(...words);
      }
    }
    return steps;
  }

  #choice(part: PhrasePart & { kind: "choice" }, language: string): Choice {
    let choice = this.#choices.get(part);
    if (!choice)
      this.#choices.set(part, (choice = choiceOf(part.options.map((option) => this.#sequence(option, language)))));
    return choice;
  }

  #wordId(word: string, language: string, isPrefix: boolean): number {
    const known = isPrefix ? this.#knownPrefixes : this.#known;
    let id = marksMatter.has(language) ? undefined : known.get(word);
    if (id === undefined) {
      const spellings = spellingsOf(word, language);
      id = isPrefix ? this.#prefixId(spellings) : this.#newWordId(spellings);
      known.set(word, id);
    }
    this.#spoken.set(id, (this.#spoken.get(id) ?? 0) | this.#bitOf(language));
    return id;
  }

  /** Each language has a bit of its own; there are fewer than 31. */
  #bitOf(language: string): number {
    let bit = this.#languageBits.get(language);
    if (bit === undefined) this.#languageBits.set(language, (bit = 1 << this.#languageBits.size));
    return bit;
  }

  /** The languages of whose lists a text has words, with how many tokens. */
  languagesIn(tokens: readonly ReadToken[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { ids } of tokens) {
      let bits = 0;
      for (const id of ids) bits |= this.#spoken.get(id) ?? 0;
      if (bits === 0) continue;
      for (const [language, bit] of this.#languageBits)
        if (bits & bit) counts.set(language, (counts.get(language) ?? 0) + 1);
    }
    return counts;
  }

  #newWordId(spellings: readonly string[]): number {
    const id = this.#ids.get(spellings[0]!)?.[0] ?? this.#count++;
    this.#lengths.set(id, spellings[0]!.length);
    for (const spelling of spellings) {
      addTo(this.#ids, spelling, id);
      const once = oncePerRun(spelling);
      if (once !== spelling) addTo(this.#onceIds, once, id);
    }
    return id;
  }

  #prefixId(spellings: readonly string[]): number {
    const id = this.#prefixes.get(spellings[0]!) ?? this.#count++;
    this.#lengths.set(id, spellings[0]!.length);
    for (const spelling of spellings) {
      this.#prefixes.set(spelling, id);
      this.#prefixLengths.add(spelling.length);
    }
    return id;
  }

  /** What a written word is read as; known words are looked up at once. */
  read(written: string): Reading {
    if (written.length > cachedLettersMax) return this.#read(written);
    let reading = this.#readings.get(written);
    if (reading) return reading;
    if (this.#readings.size >= readingsMax) this.#readings.clear();
    reading = this.#read(written);
    // A part of a text would keep the whole.
    this.#readings.set(Buffer.from(written, "utf16le").toString("utf16le"), reading);
    return reading;
  }

  #read(written: string): Reading {
    const forms = formsOf(written);
    const ids = this.#idsOf(forms);
    const letter = forms[0] !== undefined && Array.from(forms[0]).length === 1 ? forms[0] : "";
    const pieces = ids.length > 0 ? [] : this.#piecesOf(forms);
    const isTelling = pieces.length > 0 || ids.some((id) => this.#telling.has(id)) || hasStandIn.test(written);
    const isContact = ids.some((id) => this.#contact.has(id));
    const isDigit = ids.some((id) => this.#digits.has(id));
    return { ids, pieces, letter, isTelling, isContact, isDigit };
  }

  #idsOf(forms: readonly string[]): number[] {
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
    return [...ids];
  }

  #piecesOf(forms: readonly string[]): readonly Reading[] {
    for (const form of forms) {
      if (form.length < compoundMin || form.length > compoundMax || !/^\p{L}+$/u.test(form)) continue;
      const pieces = this.split(form);
      if (pieces.length > 1) return pieces;
    }
    return [];
  }

  /** Letters without spaces as the fewest words of the lists that they are made of; none where they are not. */
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
    for (let end = letters.length; end > 0; end = from[end]!)
      pieces.unshift({
        ids: this.#idsOf([letters.slice(from[end]!, end)]),
        pieces: [],
        letter: "",
        isTelling: true,
        isContact: false,
        isDigit: false,
      });
    return pieces;
  }
}

function spellingsOf(word: string, language: string): readonly string[] {
  if (asciiWord.test(word)) return [word];
  const plain = plainForm(word);
  const bare = withoutMarks(plain);
  const isAlsoBare = bare !== plain && bare.length >= bareMin && !notBare.test(plain) && !marksMatter.has(language);
  return isAlsoBare ? [plain, bare] : [plain];
}

function choiceOf(options: readonly Sequence[]): Choice {
  const byFirst = new Map<number, Sequence[]>();
  const others: Sequence[] = [];
  for (const option of options) {
    const begins = firstWords(option);
    if (begins) for (const id of begins) addTo(byFirst, id, option);
    else others.push(option);
  }
  return { byFirst, others, options };
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (!list) lists.set(key, [value]);
  else if (!list.includes(value)) list.push(value);
}

/** Where the phrase may end that begins at a token: places of the tokens behind it, the furthest last. */
export function endsOf(sequence: Sequence, tokens: readonly ReadToken[], start: number): number[] {
  return placesBehind(sequence, tokens, start)
    .filter((place) => place > start)
    .toSorted((one, other) => one - other);
}

/** The same in no order, with the place where it begins if it may be without a word. */
function placesBehind(sequence: Sequence, tokens: readonly ReadToken[], start: number): number[] {
  let places = [start];
  for (const { node, isOptional } of sequence) {
    const next = isOptional ? [...places] : [];
    for (const place of places)
      for (const end of endsOfNode(node, tokens, place)) if (!next.includes(end)) next.push(end);
    if (next.length === 0) return [];
    places = next;
  }
  return places;
}

function endsOfNode(node: Node, tokens: readonly ReadToken[], start: number): readonly number[] {
  const token = tokens[start];
  if (node === "any") {
    const most = token?.isSign ? anySignsMax : anyWordsMax;
    return Array.from({ length: most + 1 }, (_, count) => start + count).filter((end) => end <= tokens.length);
  }
  if (node === "end") return !token || token.gap >= Gap.comma ? [start] : [];
  if (node === "start") return token && token.gap >= Gap.comma ? [start] : [];
  if (typeof node === "number") return token?.ids.includes(node) ? [start + 1] : [];
  const ends: number[] = [];
  for (const id of token?.ids ?? [])
    for (const option of node.byFirst.get(id) ?? [])
      if (option.length === 1 && typeof option[0]!.node === "number") ends.push(start + 1);
      else ends.push(...placesBehind(option, tokens, start));
  for (const option of node.others) ends.push(...placesBehind(option, tokens, start));
  return ends;
}

/**
 * Words of which one stands in every match of the phrase, the rarest that there are: only a text with one of them is
 * compared with the phrase.
 *
 * @param frequency how often a word stands in texts, in any unit.
 * @throws Error where nothing has to stand in a match.
 */
export function tellingWords(sequence: Sequence, frequency: (id: number) => number): ReadonlySet<number> {
  const { words } = tellingOf(sequence, frequency);
  if (!words) throw new Error("a phrase in which no word has to stand");
  return words;
}

interface Telling {
  readonly words: ReadonlySet<number> | null;
  readonly frequency: number;
}

function tellingOf(sequence: Sequence, frequency: (id: number) => number): Telling {
  let best: Telling = { words: null, frequency: Infinity };
  for (const { node, isOptional } of sequence) {
    if (isOptional || node === "any" || isEdge(node)) continue;
    const telling =
      typeof node === "number"
        ? { words: new Set([node]), frequency: frequency(node) }
        : tellingOfChoice(node, frequency);
    if (telling.frequency < best.frequency) best = telling;
  }
  return best;
}

/** Choices are classes that many phrases name. */
const tellings = new WeakMap<Choice, Telling>();
const firsts = new WeakMap<Choice, ReadonlySet<number> | "any">();
const allWords = new WeakMap<Choice, ReadonlySet<number>>();

function tellingOfChoice(choice: Choice, frequency: (id: number) => number): Telling {
  let telling = tellings.get(choice);
  if (!telling) tellings.set(choice, (telling = rarestOf(choice, frequency)));
  return telling;
}

function rarestOf({ options }: Choice, frequency: (id: number) => number): Telling {
  const words = new Set<number>();
  for (const option of options) {
    const telling = tellingOf(option, frequency);
    if (!telling.words) return telling;
    for (const word of telling.words) words.add(word);
  }
  let sum = 0;
  for (const word of words) sum += frequency(word);
  return { words, frequency: sum };
}

/** The words with which a match may begin; null where it may be any. */
export function firstWords(sequence: Sequence): ReadonlySet<number> | null {
  const words = new Set<number>();
  for (const { node, isOptional } of sequence) {
    if (isEdge(node)) continue;
    if (node === "any") return null;
    if (typeof node === "number") words.add(node);
    else {
      let ofChoice = firsts.get(node);
      if (!ofChoice) firsts.set(node, (ofChoice = firstsOfChoice(node)));
      if (ofChoice === "any") return null;
      for (const word of ofChoice) words.add(word);
    }
    if (!isOptional) return words;
  }
  return null;
}

/** Sets of words of each of which one stands in every match. */
export function requiredWords(sequence: Sequence): readonly ReadonlySet<number>[] {
  return sequence.flatMap((step) => (step.isOptional || isEdge(step.node) ? [] : (firstWords([step]) ?? [])));
}

function firstsOfChoice({ options }: Choice): ReadonlySet<number> | "any" {
  const words = new Set<number>();
  for (const option of options) {
    const ofOption = firstWords(option);
    if (!ofOption) return "any";
    for (const word of ofOption) words.add(word);
  }
  return words;
}

/** Every word of a phrase. */
function wordsOf(sequence: Sequence, words = new Set<number>()): Set<number> {
  for (const { node } of sequence)
    if (typeof node === "number") words.add(node);
    else if (node !== "any" && !isEdge(node)) {
      let ofChoice = allWords.get(node);
      if (!ofChoice) {
        const inside = new Set<number>();
        for (const option of node.options) wordsOf(option, inside);
        allWords.set(node, (ofChoice = inside));
      }
      for (const word of ofChoice) words.add(word);
    }
  return words;
}
