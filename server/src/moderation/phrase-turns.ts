import type { Choice } from "./phrase-match.ts";
import type { ReadToken } from "./read-tokens.ts";
import { Gap } from "./text-tokens.ts";

/** The words of a language that turn a phrase near them into nothing. */
export interface TurningWords {
  readonly language: string;
  readonly negations: Choice;
  readonly reported: Choice;
  readonly clauseBreaks: Choice;
}

/** What the words at a token do to a phrase near them. */
interface Turn {
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
/** The verb and its negation stand behind what they are about. */
const verbLast = new Set(["tr", "az", "uz", "ja", "ko", "hi", "ur"]);

/** Where a text refuses or reports: each token is looked at once a language. */
export class PhraseTurns {
  readonly #tokens: readonly ReadToken[];
  readonly #turns = new Map<TurningWords, Turn[]>();

  constructor(tokens: readonly ReadToken[]) {
    this.#tokens = tokens;
  }

  /**
   * Whether the writer refuses what stands from `start` to `end`, or reports that another person said it, in the same
   * clause.
   *
   * @param members the parts of it, where other words may stand between these.
   */
  isTurned(words: TurningWords, { start, end, members = [] }: Found): boolean {
    const tokens = this.#tokens;
    for (const [at, member] of members.entries())
      for (let place = member.end; place < (members[at + 1]?.start ?? member.end); place += 1) {
        const turn = this.#turnAt(words, place);
        if (turn.negates || turn.reports) return true;
      }
    const isSign = tokens[start]!.isSign;
    let isSameClause = true;
    for (let at = start - 1; at >= Math.max(0, start - (isSign ? signsAround : wordsAround)); at -= 1) {
      const { gap } = tokens[at + 1]!;
      const turn = this.#turnAt(words, at);
      if (gap === Gap.sentence || turn.breaks) break;
      if (gap === Gap.comma) isSameClause = false;
      if ((isSameClause && turn.negates) || turn.reports) return true;
    }
    if (!verbLast.has(words.language)) return false;
    for (let at = end; at < Math.min(tokens.length, end + (isSign ? signsAround : wordsAfter)); at += 1) {
      const turn = this.#turnAt(words, at);
      if (tokens[at]!.gap >= Gap.sentence || turn.breaks) return false;
      if (turn.negates || turn.reports) return true;
    }
    return false;
  }

  #turnAt(words: TurningWords, at: number): Turn {
    let turns = this.#turns.get(words);
    if (!turns) this.#turns.set(words, (turns = []));
    const isAt = (choice: Choice) => choice.endsAt(this.#tokens, at).some((end) => end > at);
    return (turns[at] ??= {
      breaks: isAt(words.clauseBreaks),
      negates: isAt(words.negations),
      reports: isAt(words.reported),
    });
  }
}
