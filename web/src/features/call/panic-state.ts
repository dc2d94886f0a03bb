import { undoMs } from "@fava/wire/limits.ts";
import type { reportReasonIds } from "@fava/wire/reasons.ts";

export type ReasonId = (typeof reportReasonIds)[number];

/** Whom this person has fled from, and in which call. */
export interface Fled {
  readonly userId: number;
  readonly nickname: string;
  readonly callId: string;
}

/** The report says this until the person says something better: another rule was broken. */
export const reasonAtFirst: ReasonId = 7;

/**
 * What becomes of a person after the panic key, told in states with their own data:
 *
 * none: nobody. waiting: block and report can be taken back until `endsAtMs`. sending: both are on their way. sent: the
 *   server has them; another reason goes as a further report. failed: the server does not answer; it can be tried again.
 *   undone: neither happens; the call stays over.
 */
export type PanicState =
  | { step: "none" }
  | { step: "waiting"; fled: Fled; reason: ReasonId; endsAtMs: number }
  | { step: "sending" | "sent" | "failed"; fled: Fled; reason: ReasonId }
  | { step: "undone"; fled: Fled };

export type PanicEvent =
  | { type: "fled"; fled: Fled; nowMs: number }
  | { type: "undo" }
  | { type: "reason"; reason: ReasonId }
  /** The time to undo is over, or the page is left, or the person tries again. */
  | { type: "send" }
  | { type: "answered"; fled: Fled; arrived: boolean }
  /** The person goes on, home or to somebody else; or the session has ended. */
  | { type: "leave" };

type PanicEffect =
  | { type: "send"; fled: Fled; reason: ReasonId }
  /** The block is stored already, or on its way. */
  | { type: "send-reason"; fled: Fled; reason: ReasonId };

export interface PanicStep {
  state: PanicState;
  effects: readonly PanicEffect[];
}

export const calm: PanicState = { step: "none" };

/** The page after the panic key (rules SAFE-221 to SAFE-224). Pure; `panic.ts` runs the effects. */
export function stepPanic(state: PanicState, event: PanicEvent): PanicStep {
  switch (event.type) {
    case "fled": {
      const waiting = { step: "waiting", fled: event.fled, reason: reasonAtFirst } as const;
      return { state: { ...waiting, endsAtMs: event.nowMs + undoMs }, effects: unsent(state) };
    }
    case "undo":
      return state.step === "waiting" ? { state: { step: "undone", fled: state.fled }, effects: [] } : same(state);
    case "reason":
      return chosen(state, event.reason);
    case "send":
      return state.step === "waiting" || state.step === "failed" ? send(state) : same(state);
    case "answered":
      if (state.step !== "sending" || state.fled !== event.fled) return same(state);
      return { state: { ...state, step: event.arrived ? "sent" : "failed" }, effects: [] };
    case "leave":
      return { state: calm, effects: unsent(state) };
  }
}

/** Leaving by whatever way takes nothing back: only Undo does. */
function unsent(state: PanicState): PanicEffect[] {
  if (state.step !== "waiting" && state.step !== "failed") return [];
  return [{ type: "send", fled: state.fled, reason: state.reason }];
}

function chosen(state: PanicState, reason: ReasonId): PanicStep {
  if (state.step === "none" || state.step === "undone" || state.reason === reason) return same(state);
  const next = { ...state, reason };
  if (state.step === "waiting" || state.step === "failed") return { state: next, effects: [] };
  return { state: next, effects: [{ type: "send-reason", fled: state.fled, reason }] };
}

function send({ fled, reason }: { fled: Fled; reason: ReasonId }): PanicStep {
  return { state: { step: "sending", fled, reason }, effects: [{ type: "send", fled, reason }] };
}

function same(state: PanicState): PanicStep {
  return { state, effects: [] };
}
