import { Gap } from "./text-tokens.ts";

/** One position of a phrase: the id of a word, a negative id such as `clauseStart`, or a choice. */
export interface Step {
  readonly node: number | Choice;
  readonly isOptional: boolean;
}
export type Sequence = readonly Step[];

export const anyWords = -1;
/** Negative ids that match no word but the start and the end of a clause. */
export const clauseStart = -2;
export const clauseEnd = -3;
const isEdge = (node: number | Choice) => node === clauseStart || node === clauseEnd;
/** In scripts without spaces, about this many characters equal the words that `_` allows. */
const anySignsMax = 5;
const anyWordsMax = 2;

export interface WordAtToken {
  readonly id: number;
  readonly length: number;
}

export interface MatchToken {
  readonly words: readonly WordAtToken[];
  readonly isSign: boolean;
  readonly gap: Gap;
}

const nowhere: readonly number[] = [];

export class Choice {
  /** An option that is one word is stored as its id. */
  readonly options: readonly (number | Sequence)[];
  #index: { words: Set<number>; byFirst: Map<number, Sequence[]>; others: Sequence[] } | undefined;
  #beginning: Beginning | undefined;
  #rarestWords: RarestWords | null | undefined;

  constructor(options: readonly (number | Sequence)[]) {
    this.options = options;
  }

  /** Where matches that begin at a token may end: indexes of the tokens after the match. */
  endsAt(tokens: readonly MatchToken[], start: number): readonly number[] {
    const { words, byFirst, others } = (this.#index ??= this.#makeIndex());
    const ends: number[] = [];
    for (const { id, length } of tokens[start]?.words ?? []) {
      if (words.has(id)) ends.push(start + length);
      for (const option of byFirst.get(id) ?? []) ends.push(...placesBehind(option, tokens, start));
    }
    for (const option of others) ends.push(...placesBehind(option, tokens, start));
    return ends;
  }

  #makeIndex() {
    const index = { words: new Set<number>(), byFirst: new Map<number, Sequence[]>(), others: [] as Sequence[] };
    for (const option of this.options)
      if (typeof option === "number") index.words.add(option);
      else {
        const firsts = firstWords(option);
        if (!firsts) index.others.push(option);
        for (const id of firsts ?? []) addTo(index.byFirst, id, option);
      }
    return index;
  }

  get beginning(): Beginning {
    return (this.#beginning ??= this.#findBeginning());
  }

  #findBeginning(): Beginning {
    const words = new Set<number>();
    let isOpen = false;
    for (const option of this.options)
      if (typeof option === "number") words.add(option);
      else {
        const beginning = beginningOf(option);
        if (!beginning.words) return beginning;
        isOpen ||= beginning.isOpen;
        for (const word of beginning.words) words.add(word);
      }
    return { words, isOpen };
  }

  rarestWords(frequency: (id: number) => number): RarestWords | null {
    if (this.#rarestWords === undefined) this.#rarestWords = this.#findRarestWords(frequency);
    return this.#rarestWords;
  }

  #findRarestWords(frequency: (id: number) => number): RarestWords | null {
    const words = new Set<number>();
    for (const option of this.options)
      if (typeof option === "number") words.add(option);
      else {
        const rarest = rarestWordsOf(option, frequency);
        if (!rarest) return null;
        for (const word of rarest.words) words.add(word);
      }
    let sum = 0;
    for (const word of words) sum += frequency(word);
    return { words, frequency: sum };
  }
}

/** As `endsAt`, for a phrase, in ascending order and without empty matches. */
export function endsOf(sequence: Sequence, tokens: readonly MatchToken[], start: number): readonly number[] {
  const places = placesBehind(sequence, tokens, start);
  return places.filter((place) => place > start).toSorted((one, other) => one - other);
}

/** All ends in any order, including `start` itself if a match may be empty. */
function placesBehind(sequence: Sequence, tokens: readonly MatchToken[], start: number): readonly number[] {
  let places: readonly number[] = [start];
  for (const { node, isOptional } of sequence) {
    const next = isOptional ? [...places] : [];
    for (const place of places)
      for (const end of endsOfNode(node, tokens, place)) if (!next.includes(end)) next.push(end);
    if (next.length === 0) return nowhere;
    places = next;
  }
  return places;
}

function endsOfNode(node: number | Choice, tokens: readonly MatchToken[], start: number): readonly number[] {
  if (node instanceof Choice) return node.endsAt(tokens, start);
  const token = tokens[start];
  if (node === anyWords) {
    const most = token?.isSign ? anySignsMax : anyWordsMax;
    return Array.from({ length: most + 1 }, (_, count) => start + count).filter((end) => end <= tokens.length);
  }
  if (node === clauseEnd) return !token || token.gap >= Gap.comma ? [start] : nowhere;
  if (node === clauseStart) return token && token.gap >= Gap.comma ? [start] : nowhere;
  const word = token?.words.find(({ id }) => id === node);
  return word ? [start + word.length] : nowhere;
}

/** The words with which a match may begin, null for any; `isOpen` if it may be empty. */
interface Beginning {
  readonly words: ReadonlySet<number> | null;
  readonly isOpen: boolean;
}

function beginningOf(sequence: Sequence): Beginning {
  const words = new Set<number>();
  for (const { node, isOptional } of sequence) {
    if (isEdge(node)) continue;
    if (node === anyWords) return { words: null, isOpen: true };
    const beginning = typeof node === "number" ? { words: [node], isOpen: false } : node.beginning;
    if (!beginning.words) return { words: null, isOpen: true };
    for (const word of beginning.words) words.add(word);
    if (!isOptional && !beginning.isOpen) return { words, isOpen: false };
  }
  return { words, isOpen: true };
}

/** The words with which a match may begin; null if any word may begin it. */
export function firstWords(sequence: Sequence): ReadonlySet<number> | null {
  const { words, isOpen } = beginningOf(sequence);
  return isOpen ? null : words;
}

/** Sets of words. Every match contains at least one word of each set. */
export function requiredWords(sequence: Sequence): readonly ReadonlySet<number>[] {
  return sequence.flatMap((step) => (step.isOptional || isEdge(step.node) ? [] : (firstWords([step]) ?? [])));
}

/** Words of which every match contains at least one, and how often these occur in texts. */
export interface RarestWords {
  readonly words: ReadonlySet<number>;
  readonly frequency: number;
}

/**
 * The set of words to index the phrase by: only texts with one of them are compared with the phrase.
 * @param frequency how often a word occurs in texts, in any unit.
 * @returns null if a match needs no particular word.
 */
export function rarestWordsOf(sequence: Sequence, frequency: (id: number) => number): RarestWords | null {
  let best: RarestWords | null = null;
  for (const { node, isOptional } of sequence) {
    if (isOptional || node === anyWords || isEdge(node)) continue;
    const rarest =
      typeof node === "number" ? { words: new Set([node]), frequency: frequency(node) } : node.rarestWords(frequency);
    if (rarest && rarest.frequency < (best?.frequency ?? Infinity)) best = rarest;
  }
  return best;
}

export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (!list) lists.set(key, [value]);
  else if (!list.includes(value)) list.push(value);
}
