import { foldText } from "@fava/wire/text-folding.ts";
import { LruMap } from "#lru-map.ts";
import type { Clock } from "#ports/clock.ts";

/** The same line in so many calls within the time is an advertisement; shorter ones are greetings. */
const callsMax = 5;
const withinMs = 3_600_000;
const lettersMin = 20;
const linesPerWriter = 20;
const writersMax = 20_000;

interface Line {
  readonly text: string;
  readonly calls: Set<string>;
  readonly sinceMs: number;
}

/** Who writes the same to one stranger after the other (rule BOT-1). */
export class RepeatedLines {
  readonly #clock: Clock;
  readonly #writers = new LruMap<bigint, Line[]>(writersMax);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True for the line that makes it too many, once an hour. */
  add(userId: bigint, callId: string, text: string): boolean {
    const signs = foldText(text);
    // Most lines are short, and what follows makes none longer.
    if (signs.length < lettersMin) return false;
    const folded = signs.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
    if (folded.length < lettersMin) return false;
    const nowMs = this.#clock.monotonicMs();
    const lines = (this.#writers.get(userId) ?? []).filter(({ sinceMs }) => nowMs - sinceMs < withinMs);
    const known = lines.find((line) => line.text === folded);
    const line = known ?? { text: folded, calls: new Set<string>(), sinceMs: nowMs };
    if (!known) lines.push(line);
    const before = line.calls.size;
    if (before < callsMax) line.calls.add(callId);
    this.#writers.set(userId, lines.slice(-linesPerWriter));
    return before < callsMax && line.calls.size === callsMax;
  }
}
