import type { Message } from "@fava/wire/messages.ts";
import type { MessagesEffect, MessagesState, SendProblem, Unsent } from "./messages-state.ts";

/** Own messages of one conversation that may wait for an answer at once. */
const unsentMax = 50;

/** Adds an own message at the end; nothing happens when too many wait already. */
export function withSaid(state: MessagesState, externalId: string, said: Omit<Unsent, "state">): MessagesState {
  const waiting = unsentOf(state, externalId);
  if (waiting.length >= unsentMax || waiting.some(({ clientId }) => clientId === said.clientId)) return state;
  return withUnsent(state, externalId, [...waiting, { ...said, state: "waiting" }]);
}

/** A failed message goes to the end and waits again, under the id it had. */
export function tryAgain(
  state: MessagesState,
  externalId: string,
  { clientId, nowMs }: { clientId: string; nowMs: number },
): MessagesState {
  const waiting = unsentOf(state, externalId);
  const failed = waiting.find((one) => one.clientId === clientId);
  if (failed?.state !== "failed") return state;
  const others = waiting.filter((one) => one !== failed);
  return withUnsent(state, externalId, [...others, { clientId, text: failed.text, time: nowMs, state: "waiting" }]);
}

export function withFailed(
  state: MessagesState,
  externalId: string,
  { clientId, problem }: { clientId: string; problem: SendProblem },
): MessagesState {
  const failed = unsentOf(state, externalId).map((one): Unsent => {
    if (one.clientId !== clientId) return one;
    return { clientId, text: one.text, time: one.time, state: "failed", problem };
  });
  return withUnsent(state, externalId, failed);
}

/** A message that the server has stored waits no longer, whether its answer or an event said so. */
export function withoutStored(state: MessagesState, externalId: string, messages: readonly Message[]): MessagesState {
  const stored = new Set(messages.filter(({ position }) => position === "right").map(({ clientId }) => clientId));
  const waiting = unsentOf(state, externalId);
  const left = waiting.filter(({ clientId }) => !stored.has(clientId));
  return left.length === waiting.length ? state : withUnsent(state, externalId, left);
}

export function withoutUnsent(state: MessagesState, externalId: string, clientId: string): MessagesState {
  const left = unsentOf(state, externalId).filter((one) => one.clientId !== clientId);
  return withUnsent(state, externalId, left);
}

/** Sends what waits: one message of a conversation after the other, so that they arrive in the order of writing. */
export function startSending(state: MessagesState): { state: MessagesState; effects: readonly MessagesEffect[] } {
  let started = state;
  const effects: MessagesEffect[] = [];
  for (const [externalId, waiting] of state.unsent) {
    const first = waiting.find((one) => one.state === "waiting");
    if (!first || waiting.some((one) => one.state === "sending")) continue;
    const { clientId, text } = first;
    const moved = waiting.map((one): Unsent => (one === first ? { ...first, state: "sending" } : one));
    started = withUnsent(started, externalId, moved);
    effects.push({ type: "send", externalId, clientId, text });
  }
  return { state: started, effects };
}

export function unsentOf(state: MessagesState, externalId: string): readonly Unsent[] {
  return state.unsent.get(externalId) ?? [];
}

function withUnsent(state: MessagesState, externalId: string, waiting: readonly Unsent[]): MessagesState {
  const unsent = new Map(state.unsent);
  if (waiting.length > 0) unsent.set(externalId, waiting);
  else unsent.delete(externalId);
  return { ...state, unsent };
}
