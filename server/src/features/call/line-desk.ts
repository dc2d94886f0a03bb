import type { LineRuling } from "#ports/line-rules.ts";
import type { TextFinding } from "#ports/text-rules.ts";

/** What the writer of a line is told, and told again where the line comes again. */
export type LineAnswer =
  | { readonly kind: "stored"; readonly findings: readonly TextFinding[] }
  | { readonly kind: "abusive" }
  | { readonly kind: "muted"; readonly untilMs: number };

const stored: LineAnswer = { kind: "stored", findings: [] };

/** What the writer is told of a ruling. */
export function answerTo(ruling: LineRuling): LineAnswer {
  if (ruling.kind === "pass") return stored;
  return ruling.kind === "masked" ? { kind: "stored", findings: ruling.findings } : ruling;
}

/** What the other reads. */
export function textAfter(ruling: LineRuling, text: string): string {
  return ruling.kind === "masked" ? ruling.text : text;
}

/** Lines one person may send in one call: at once, and sustained. Bounds what a dropped receiver has to catch up on. */
const linesBurstMax = 20;
const linesPerSecondMax = 2;
/** Ids remembered to tell a line that is sent again from a new one. */
const clientIdsKept = 256;

/** The chat lines of one person in one room: each is taken once, and not too many (rule CHAT-63). */
export class LineDesk {
  /** Oldest first, as a Map keeps insertion order. */
  readonly #answers = new Map<string, LineAnswer>();
  #tokens = linesBurstMax;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** The answer where the line was taken before, and is only to be answered again. */
  take(clientId: string, nowMs: number): "taken" | "too-many" | LineAnswer {
    const answered = this.#answers.get(clientId);
    if (answered) return answered;
    const refilled = this.#tokens + (Math.max(0, nowMs - this.#atMs) * linesPerSecondMax) / 1_000;
    this.#tokens = Math.min(linesBurstMax, refilled);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return "too-many";
    this.#tokens -= 1;
    this.#answers.set(clientId, stored);
    if (this.#answers.size > clientIdsKept) {
      const [oldest] = this.#answers.keys();
      if (oldest !== undefined) this.#answers.delete(oldest);
    }
    return "taken";
  }

  /** What a line that was just taken is answered, where it was masked or refused. */
  answer(clientId: string, answer: LineAnswer): void {
    this.#answers.set(clientId, answer);
  }
}
