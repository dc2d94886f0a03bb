import { twoChoiceAgainMs, twoChoiceQuestions } from "@fava/wire/limits.ts";
import type { Choice, ServerMessage } from "@fava/wire/socket.ts";
import { createStore, useStore } from "zustand";
import type { Key } from "#lib/i18n.ts";

type Told = Extract<ServerMessage, { type: "two-choice" }>;

interface AskedQuestion {
  readonly question: number;
  readonly arrivedAtMs: number;
  /** When the card closes, in milliseconds since the epoch. */
  readonly untilMs: number;
  readonly own: Choice | null;
  /** Null until both have chosen. */
  readonly other: Choice | null;
  /** The user has asked it, and the card takes the focus. */
  readonly isOwn: boolean;
  /** The user has closed the card. */
  readonly isClosed: boolean;
}

interface TwoChoice {
  readonly asked: AskedQuestion | null;
  /** Number of questions so far in this call. */
  readonly turn: number;
  /** When the user last asked for a question, in milliseconds since the epoch. */
  readonly pressedAtMs: number;
}

/** How long both choices are shown. */
const resultShownMs = 10_000;
/** A question that arrives this long after the user's press is the one that the user asked. */
const arrivalMs = 3_000;
/** Shares no factor with the number of questions, so that each is asked once before the first repeats. */
const step = 7;

const ofNewCall: TwoChoice = { asked: null, turn: 0, pressedAtMs: 0 };
const store = createStore<TwoChoice>(() => ofNewCall);

/** The question of the card; null: no card is shown. */
export function useTwoChoice(): AskedQuestion | null {
  return useStore(store, ({ asked }) => (asked?.isClosed ? null : asked));
}

/**
 * The number of the question to ask now. Null: none, since the server would not replace the present one yet; its card
 * opens again.
 */
export function questionToAsk(roomId: string, nowMs: number): number | null {
  const { asked, turn } = store.getState();
  if (asked && asked.other === null && nowMs - asked.arrivedAtMs < twoChoiceAgainMs) {
    store.setState({ asked: { ...asked, isClosed: false } });
    return null;
  }
  store.setState({ pressedAtMs: nowMs });
  let begin = 0;
  for (let at = 0; at < roomId.length; at += 1) begin = (begin * 31 + roomId.charCodeAt(at)) % 1_000_003;
  return ((begin + turn * step) % twoChoiceQuestions) + 1;
}

/** Shows a question that arrived, or the choices of both. */
export function takeTwoChoice({ question, left_ms, choices }: Told, nowMs: number): void {
  const { asked, turn, pressedAtMs } = store.getState();
  if (choices) {
    const isKnown = asked?.question === question;
    if (isKnown) store.setState({ asked: { ...asked, ...choices, untilMs: nowMs + resultShownMs } });
    return;
  }
  const isOwn = nowMs - pressedAtMs < arrivalMs;
  const fresh = { question, arrivedAtMs: nowMs, untilMs: nowMs + left_ms, own: null, other: null, isOwn };
  store.setState({ asked: { ...fresh, isClosed: false }, turn: turn + 1 });
}

/** Notes the user's choice. Returns its question; null: none is open, or the user has chosen before. */
export function noteChoice(own: Choice): number | null {
  const { asked } = store.getState();
  if (asked?.own !== null) return null;
  store.setState({ asked: { ...asked, own } });
  return asked.question;
}

export function closeTwoChoice(): void {
  const { asked } = store.getState();
  if (asked) store.setState({ asked: { ...asked, isClosed: true } });
}

/** Called when a call starts and ends. */
export function resetTwoChoice(): void {
  store.setState(ofNewCall);
}

export function answerKey(question: number, choice: Choice): Key {
  return `either.${question}.${choice === 0 ? "a" : "b"}` as Key;
}
