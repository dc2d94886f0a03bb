import type { Choice } from "./phrase-match.ts";
import type { ReadToken } from "./read-tokens.ts";
import { Gap } from "./text-tokens.ts";

export interface ContextWords {
  readonly language: string;
  readonly negations: Choice;
  readonly reported: Choice;
  /** Words directly before a phrase that quote what others said about the writer or a third person: "called me". */
  readonly told: Choice;
  readonly clauseBreaks: Choice;
}

interface WordContext {
  readonly breaks: boolean;
  readonly negates: boolean;
  readonly reports: boolean;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly members?: readonly { readonly start: number; readonly end: number }[];
}

const wordsAround = 5;
const signsAround = 9;
const wordsAfter = 3;
const quotation = /["“„”«»「『](?=[^\s"”“»«」』])[^"“”»«」』]+["“”»«」』]/gu;
/** Languages that put the verb and its negation at the end. */
const verbLast = new Set(["tr", "az", "uz", "ja", "ko", "hi", "ur"]);

/** Finds where a text negates or quotes. Caches the result per token and language. */
export class PhraseContext {
  readonly #text: string;
  readonly #tokens: readonly ReadToken[];
  #quotations: readonly { readonly start: number; readonly end: number }[] | undefined;
  readonly #contexts = new Map<ContextWords, WordContext[]>();

  constructor(text: string, tokens: readonly ReadToken[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  /**
   * Whether words of the same clause negate the phrase or mark it as a quotation.
   * @param members the parts of the range, if other words may stand between them.
   */
  isNegatedOrQuoted(words: ContextWords, { start, end, members = [] }: Found): boolean {
    const tokens = this.#tokens;
    for (const [at, member] of members.entries())
      for (let place = member.end; place < (members[at + 1]?.start ?? member.end); place += 1) {
        const turn = this.#contextAt(words, place);
        if (turn.negates || turn.reports) return true;
      }
    const isSign = tokens[start]!.isSign;
    let isSameClause = true;
    for (let at = start - 1; at >= Math.max(0, start - (isSign ? signsAround : wordsAround)); at -= 1) {
      const { gap } = tokens[at + 1]!;
      const turn = this.#contextAt(words, at);
      if (gap === Gap.sentence || turn.breaks) break;
      if (gap === Gap.comma) isSameClause = false;
      if ((isSameClause && turn.negates) || turn.reports) return true;
    }
    if (!verbLast.has(words.language)) return false;
    for (let at = end; at < Math.min(tokens.length, end + (isSign ? signsAround : wordsAfter)); at += 1) {
      const turn = this.#contextAt(words, at);
      if (tokens[at]!.gap >= Gap.sentence || turn.breaks) return false;
      if (turn.negates || turn.reports) return true;
    }
    return false;
  }

  /** Whether the writer reports what others said: "called me a ...", or quotation marks after "he wrote". */
  isReported(words: ContextWords, start: number): boolean {
    for (let at = start - 1; at >= Math.max(0, start - wordsAround); at -= 1)
      if (words.told.endsAt(this.#tokens, at).includes(start)) return true;
    const { start: place, isSign } = this.#tokens[start]!;
    const quoted = this.#quoted().find((one) => one.start < place && place < one.end);
    if (!quoted) return false;
    const first = this.#tokens.findIndex((token) => token.start > quoted.start);
    for (let at = first - 1; at >= Math.max(0, first - (isSign ? signsAround : wordsAround)); at -= 1) {
      const turn = this.#contextAt(words, at);
      if (turn.reports) return true;
      if (turn.breaks || this.#tokens[at]!.gap === Gap.sentence) break;
    }
    return verbLast.has(words.language) && this.#isReportedAfter(words, quoted.end);
  }

  #isReportedAfter(words: ContextWords, end: number): boolean {
    const first = this.#tokens.findIndex(({ start }) => start >= end);
    if (first < 0) return false;
    for (let at = first; at < Math.min(this.#tokens.length, first + wordsAfter); at += 1) {
      if (at > first && this.#tokens[at]!.gap === Gap.sentence) return false;
      if (this.#contextAt(words, at).reports) return true;
    }
    return false;
  }

  #quoted() {
    return (this.#quotations ??= [...this.#text.matchAll(quotation)].map(({ 0: { length }, index }) => ({
      start: index,
      end: index + length,
    })));
  }

  #contextAt(words: ContextWords, at: number): WordContext {
    let turns = this.#contexts.get(words);
    if (!turns) this.#contexts.set(words, (turns = []));
    const isAt = (choice: Choice) => choice.endsAt(this.#tokens, at).some((end) => end > at);
    return (turns[at] ??= {
      breaks: isAt(words.clauseBreaks),
      negates: isAt(words.negations),
      reports: isAt(words.reported),
    });
  }
}
