import { type Choice, endsOf, firstWords, requiredWords, type Sequence } from "./phrase-match.ts";
import type { ContextWords } from "./phrase-context.ts";
import type { ReadToken } from "./read-tokens.ts";
import type { PhraseRow } from "./text-rule-files.ts";
import { Gap } from "./text-tokens.ts";
import type { WordBorders } from "./word-borders.ts";

/** A range of tokens, the end excluded. `members`: the matched parts of a `near` row, in order. */
export interface TokenRange {
  readonly start: number;
  readonly end: number;
  readonly members?: readonly TokenRange[];
}

export type Places = ReadonlyMap<number, readonly number[]>;

export interface ComparedText {
  readonly tokens: readonly ReadToken[];
  readonly borders: WordBorders;
  comparisons: number;
}

/** The part of a text in which matches may begin. `comparisonsMax`: limit of the text's comparisons until its end. */
export interface Window {
  readonly start: number;
  readonly end: number;
  readonly places: Places;
  readonly comparisonsMax: number;
}

const unlessBefore = 8;
/** Default span of a `near` row (several phrases close to each other), in tokens. */
const nearWithin = 12;
const gapSignsMax = 12;
const sentenceStart = /^\p{Lu}\p{Ll}/u;

/** A phrase to find. Caches its first words on first use, since most phrases are never compared. */
export class Pattern {
  readonly sequence: Sequence;
  #firsts: ReadonlySet<number> | null | undefined;

  constructor(sequence: Sequence) {
    this.sequence = sequence;
  }

  /** The tokens at which a match may begin, in order; null if it may begin at any. */
  startsIn(places: Places): readonly number[] | null {
    if (this.#firsts === undefined) this.#firsts = firstWords(this.sequence);
    const firsts = this.#firsts;
    if (!firsts) return null;
    const starts: number[] = [];
    for (const id of firsts.size < places.size ? firsts : places.keys())
      if (firsts.has(id)) starts.push(...(places.get(id) ?? []));
    return starts.length < 2 ? starts : [...new Set(starts)].toSorted((one, other) => one - other);
  }

  /** The end of the longest match that begins at a token and has word borders at both ends. */
  endIn(text: ComparedText, start: number): number | undefined {
    const { tokens, borders } = text;
    text.comparisons += 1;
    if (!tokens[start]!.isFirst) return undefined;
    return endsOf(this.sequence, tokens, start).findLast(
      (end) => tokens[end - 1]!.isLast && isOneSentence(tokens, start, end) && borders.surround(start, end),
    );
  }
}

export class Rule {
  readonly id: string;
  readonly row: PhraseRow;
  /** The phrase; for a `near` row several, which may match in any order. */
  readonly parts: readonly Pattern[];
  readonly unless: Choice;
  readonly contextWords: ContextWords;
  #required: readonly ReadonlySet<number>[] | undefined;

  constructor({
    id,
    row,
    parts,
    unless,
    contextWords,
  }: Pick<Rule, "id" | "row" | "parts" | "unless" | "contextWords">) {
    this.id = id;
    this.row = row;
    this.parts = parts;
    this.unless = unless;
    this.contextWords = contextWords;
  }

  get steps(): Sequence {
    return this.parts.flatMap(({ sequence }) => sequence);
  }

  isWholeIn(words: Places): boolean {
    this.#required ??= requiredWords(this.steps);
    return this.#required.every((part) => {
      for (const id of part.size < words.size ? part : words.keys()) if (part.has(id) && words.has(id)) return true;
      return false;
    });
  }

  /** Matches that do not overlap. `isInnocent`: the context gives the match another meaning, so it is skipped. */
  *matchesIn(
    text: ComparedText,
    window: Window,
    isInnocent: (match: TokenRange) => boolean,
  ): Generator<TokenRange, void> {
    if (this.row.near) {
      for (const match of this.#nearMatchesIn(text, window)) if (!isInnocent(match)) yield match;
      return;
    }
    const [phrase] = this.parts;
    let next = window.start;
    for (const start of phrase!.startsIn(window.places) ?? text.tokens.keys()) {
      if (text.comparisons >= window.comparisonsMax) return;
      if (start < next || start >= window.end) continue;
      const end = phrase!.endIn(text, start);
      if (end === undefined || isInnocent({ start, end })) continue;
      yield { start, end };
      next = end;
    }
  }

  /** The shortest ranges that contain a match of each part. Neither parts nor ranges overlap. */
  *#nearMatchesIn(text: ComparedText, window: Window): Generator<TokenRange, void> {
    const hits: (TokenRange & { part: Pattern })[] = [];
    for (const part of this.parts) {
      const known = hits.length;
      for (const start of part.startsIn(window.places) ?? text.tokens.keys()) {
        if (text.comparisons >= window.comparisonsMax) return;
        const end = part.endIn(text, start);
        if (end !== undefined) hits.push({ part, start, end });
      }
      if (hits.length === known) return;
    }
    const latest = new Map<Pattern, TokenRange>();
    for (const hit of hits.toSorted((one, other) => one.start - other.start)) {
      latest.set(hit.part, hit);
      if (latest.size < this.parts.length) continue;
      const members = [...latest.values()].toSorted((one, other) => one.start - other.start);
      const start = members[0]!.start;
      const end = Math.max(...members.map((member) => member.end));
      const isApart = members.every((member, at) => at === 0 || members[at - 1]!.end <= member.start);
      if (!isApart || end - start > (this.row.within ?? nearWithin) || start >= window.end) continue;
      yield { start, end, members };
      latest.clear();
    }
  }

  /** Whether a longer harmless phrase of the row contains the match. For a `near` row an overlap suffices. */
  isExcused(tokens: readonly ReadToken[], { start, end }: TokenRange): boolean {
    const excuses = (from: number, to: number) => (this.row.near ? to > start : from < start ? to >= end : to > end);
    for (let from = Math.max(0, start - unlessBefore); from < end; from += 1)
      if (this.unless.endsAt(tokens, from).some((to) => excuses(from, to))) return true;
    return false;
  }
}

/** False if a sentence with a capital begins inside the match, or more than a few signs separate two of its tokens. */
function isOneSentence(tokens: readonly ReadToken[], start: number, end: number): boolean {
  for (let at = start + 1; at < end; at += 1) {
    const token = tokens[at]!;
    if (token.start - tokens[at - 1]!.end > gapSignsMax) return false;
    if (token.gap === Gap.sentence && sentenceStart.test(token.text)) return false;
  }
  return true;
}
