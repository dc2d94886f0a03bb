import { reactionsBurstMax, reactionsPerSecondMax, twoChoiceAgainMs, twoChoiceAnswerMs } from "@fava/wire/limits.ts";
import type { Choice } from "@fava/wire/socket.ts";
import type { PassingMessage } from "#ports/bus.ts";
import type { RoomMessage } from "#ports/hub-listener.ts";
import { otherSide, type Side } from "./room-machine.ts";

type Sent = Extract<RoomMessage, { type: "reaction" | "two-choice" }>;
type Told = Extract<PassingMessage, { type: "reaction" | "two-choice" }>;

export interface PlayMessage {
  readonly to: Side;
  readonly message: Told;
}

interface TwoChoiceQuestion {
  readonly question: number;
  readonly askedAtMs: number;
  readonly choices: { [Which in Side]?: Choice };
}

const nobody: readonly PlayMessage[] = [];

/**
 * Reactions and two-choice questions of one room, only in memory. The first choice stays here until the second one
 * arrives, so that neither user can adapt to the other. What is too fast, late or repeated is dropped.
 */
export class RoomPlay {
  readonly #limits: Readonly<Record<Side, ReactionLimit>>;
  #asked: TwoChoiceQuestion | null = null;

  constructor(nowMs: number) {
    this.#limits = { offerer: new ReactionLimit(nowMs), answerer: new ReactionLimit(nowMs) };
  }

  /** Returns what a message of one side sends, and to whom. */
  take(side: Side, message: Sent, nowMs: number): readonly PlayMessage[] {
    const { roomId } = message;
    if (message.type === "reaction") {
      if (!this.#limits[side].take(nowMs)) return nobody;
      return [{ to: otherSide(side), message: { type: "reaction", roomId, reaction: message.reaction } }];
    }
    const { question, choice } = message;
    if (choice === undefined) return this.#ask({ roomId, question, nowMs });
    return this.#choose(side, { roomId, question, choice, nowMs });
  }

  #ask({ roomId, question, nowMs }: { roomId: string; question: number; nowMs: number }): readonly PlayMessage[] {
    const asked = this.#asked;
    if (asked && !areBothChosen(asked) && nowMs - asked.askedAtMs < twoChoiceAgainMs) return nobody;
    this.#asked = { question, askedAtMs: nowMs, choices: {} };
    const message = { type: "two-choice", roomId, question, left_ms: twoChoiceAnswerMs } as const;
    return [
      { to: "offerer", message },
      { to: "answerer", message },
    ];
  }

  #choose(
    side: Side,
    { roomId, question, choice, nowMs }: { roomId: string; question: number; choice: Choice; nowMs: number },
  ): readonly PlayMessage[] {
    const asked = this.#asked;
    const isOver = !asked || asked.question !== question || nowMs - asked.askedAtMs >= twoChoiceAnswerMs;
    if (isOver || asked.choices[side] !== undefined) return nobody;
    asked.choices[side] = choice;
    const { offerer, answerer } = asked.choices;
    if (offerer === undefined || answerer === undefined) return nobody;
    const about = { type: "two-choice", roomId, question, left_ms: 0 } as const;
    return [
      { to: "offerer", message: { ...about, choices: { own: offerer, other: answerer } } },
      { to: "answerer", message: { ...about, choices: { own: answerer, other: offerer } } },
    ];
  }
}

function areBothChosen({ choices }: TwoChoiceQuestion): boolean {
  return choices.offerer !== undefined && choices.answerer !== undefined;
}

class ReactionLimit {
  #tokens = reactionsBurstMax;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  take(nowMs: number): boolean {
    const refilled = this.#tokens + (Math.max(0, nowMs - this.#atMs) * reactionsPerSecondMax) / 1_000;
    this.#tokens = Math.min(reactionsBurstMax, refilled);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
