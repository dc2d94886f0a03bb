import * as v from "valibot";
import { createStore, useStore } from "zustand";
import { codes } from "@fava/wire/codes.ts";
import { feedback } from "@fava/wire/endpoints/moderation.ts";
import { block } from "@fava/wire/endpoints/social.ts";
import { undoMs } from "@fava/wire/limits.ts";
import { reasons, type ReportReason, reportReasonIds } from "@fava/wire/reasons.ts";
import { hidePerson } from "#features/people/relations.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { type RequestOptions, smallRequest } from "#lib/api/request.ts";
import { currentUser } from "#lib/session.ts";
import { onBack } from "#lib/socket/connection.ts";
import { readStored, removeStored, writeStored } from "#lib/storage.ts";

/** Whom this person has exited from, and in which call. */
export interface EmergencyExit {
  readonly userId: number;
  readonly nickname: string;
  readonly callId: string;
}

/** The report says this until the person says something better: another rule was broken. */
export const reasonAtFirst = reasons.violation.id;

/**
 * What becomes of a person after the panic key, told in states with their own data:
 *
 * none: nobody. waiting: block and report can be taken back until `endsAtMs`. sending: both are on their way. sent: the
 *   server has them; another reason goes as a further report. failed: the server does not answer; it can be tried again.
 *   undone: neither happens; the call stays over.
 */
export type PanicState =
  | { step: "none" }
  | { step: "waiting"; exited: EmergencyExit; reason: ReportReason; endsAtMs: number }
  | { step: "sending" | "sent" | "failed"; exited: EmergencyExit; reason: ReportReason }
  | { step: "undone"; exited: EmergencyExit };

export type PanicEvent =
  | { type: "exited"; exited: EmergencyExit; nowMs: number }
  | { type: "undo" }
  | { type: "reason"; reason: ReportReason }
  /** The time to undo is over, or the page is left, or the person tries again. */
  | { type: "send" }
  | { type: "answered"; exited: EmergencyExit; arrived: boolean }
  /** The person goes on, home or to somebody else; or the session has ended. */
  | { type: "leave" };

type PanicEffect =
  | { type: "send"; exited: EmergencyExit; reason: ReportReason }
  /** The block is stored already, or on its way. */
  | { type: "send-reason"; exited: EmergencyExit; reason: ReportReason };

export interface PanicStep {
  state: PanicState;
  effects: readonly PanicEffect[];
}

export const calm: PanicState = { step: "none" };

/** The page after the panic key (rules SAFE-221 to SAFE-224). Pure; `panic.ts` runs the effects. */
export function stepPanic(state: PanicState, event: PanicEvent): PanicStep {
  switch (event.type) {
    case "exited": {
      const waiting = { step: "waiting", exited: event.exited, reason: reasonAtFirst } as const;
      return { state: { ...waiting, endsAtMs: event.nowMs + undoMs }, effects: unsent(state) };
    }
    case "undo":
      return state.step === "waiting" ? { state: { step: "undone", exited: state.exited }, effects: [] } : same(state);
    case "reason":
      return chosen(state, event.reason);
    case "send":
      return state.step === "waiting" || state.step === "failed" ? send(state) : same(state);
    case "answered":
      if (state.step !== "sending" || state.exited !== event.exited) return same(state);
      return { state: { ...state, step: event.arrived ? "sent" : "failed" }, effects: [] };
    case "leave":
      return { state: calm, effects: unsent(state) };
  }
}

/** Leaving by whatever way takes nothing back: only Undo does. */
function unsent(state: PanicState): PanicEffect[] {
  if (state.step !== "waiting" && state.step !== "failed") return [];
  return [{ type: "send", exited: state.exited, reason: state.reason }];
}

function chosen(state: PanicState, reason: ReportReason): PanicStep {
  if (state.step === "none" || state.step === "undone" || state.reason === reason) return same(state);
  const next = { ...state, reason };
  if (state.step === "waiting" || state.step === "failed") return { state: next, effects: [] };
  return { state: next, effects: [{ type: "send-reason", exited: state.exited, reason }] };
}

function send({ exited, reason }: { exited: EmergencyExit; reason: ReportReason }): PanicStep {
  return { state: { step: "sending", exited, reason }, effects: [{ type: "send", exited, reason }] };
}

function same(state: PanicState): PanicStep {
  return { state, effects: [] };
}

/** A page that is there sends within this long after the time to undo. */
const sendGraceMs = 2_000;
/** So many exits are kept until they have arrived; of more the oldest are given up. */
const unsentMax = 20;

const store = createStore<PanicState>(() => calm);
let timer: ReturnType<typeof setTimeout> | undefined;
/** What was decided last, stored or not: a search that follows must not bring the same person. */
let settled: Promise<unknown> = Promise.resolve();
/** The calls whose block and report are on their way from this page. */
const underway = new Set<string>();

export function usePanic(): PanicState {
  return useStore(store);
}

export function isPanicShown(): boolean {
  return store.getState().step !== "none";
}

/** This person has left the call in fear: the page says so, and block and report go in five seconds. */
export function exitFrom(exited: EmergencyExit): void {
  clearTimeout(timer);
  dispatch({ type: "exited", exited, nowMs: Date.now() });
  timer = setTimeout(() => dispatch({ type: "send" }), undoMs);
  sendLeft();
}

export function undoPanic(): void {
  dispatch({ type: "undo" });
}

export function sendPanic(): void {
  dispatch({ type: "send" });
}

export function sayReason(reason: ReportReason): void {
  dispatch({ type: "reason", reason });
}

/** Sends what has not gone, while the page stays; resolves when it has been answered. */
export async function finishPanic(): Promise<void> {
  dispatch({ type: "send" });
  await settled;
}

/** Closes the page; resolves when block and report have been answered. */
export async function leavePanic(): Promise<void> {
  dispatch({ type: "leave" });
  await settled;
}

/**
 * Sends what did not arrive, or was left behind by a page that was closed in the middle, whenever it may arrive now, and
 * lets a page that is being closed send at once, until `signal` is aborted (rules SAFE-224, SAFE-227).
 */
export function watchPanic(signal: AbortSignal): void {
  // Another tab may be counting down: it is left the time to send by itself.
  const lastEndsAtMs = Math.max(0, ...readUnsent().map(({ endsAtMs }) => endsAtMs));
  const sendingLeft = setTimeout(sendLeft, Math.max(0, lastEndsAtMs - Date.now()) + sendGraceMs);
  const stop = onBack(sendLeft);
  window.addEventListener("pagehide", () => dispatch({ type: "send" }), { signal });
  signal.addEventListener("abort", () => {
    clearTimeout(sendingLeft);
    stop();
    dispatch({ type: "leave" });
  });
}

/** Sends what did not arrive, but for what can still be taken back, here or in another tab. */
function sendLeft(): void {
  const shown = store.getState();
  if (shown.step === "failed") sendPanic();
  const shownCallId = shown.step === "none" ? null : shown.exited.callId;
  const userId = currentUser()?.user_id;
  const due = readUnsent().filter(
    ({ reporterId, endsAtMs, exited: { callId } }) =>
      reporterId === userId && endsAtMs <= Date.now() && callId !== shownCallId && !underway.has(callId),
  );
  if (due.length > 0) settled = Promise.all([settled, ...due.map(({ exited, reason }) => settle(exited, reason))]);
}

function dispatch(event: PanicEvent): void {
  const { state, effects } = stepPanic(store.getState(), event);
  if (state.step !== "waiting") clearTimeout(timer);
  store.setState(state, true);
  if ((event.type === "exited" || event.type === "reason") && state.step === "waiting") keepUnsent(state);
  if (event.type === "undo" && state.step === "undone") dropUnsent(state.exited);
  for (const effect of effects) {
    if (effect.type === "send-reason") settled = report(effect.exited, effect.reason);
    else settled = settle(effect.exited, effect.reason);
  }
}

/** Blocks and reports; both are tried, and what was stored for the next page goes only when both have arrived. */
async function settle(exited: EmergencyExit, reason: ReportReason): Promise<void> {
  keepUnsent({ exited, reason, endsAtMs: Date.now() });
  underway.add(exited.callId);
  const blocked = blockFled(exited);
  hidePerson(exited.userId, blocked);
  const both = Promise.all([report(exited, reason), blocked]);
  const arrived = (await both.finally(() => underway.delete(exited.callId))).every(Boolean);
  if (arrived) dropUnsent(exited);
  const { state } = stepPanic(store.getState(), { type: "answered", exited, arrived });
  store.setState(state, true);
}

function blockFled({ userId }: EmergencyExit): Promise<boolean> {
  return arrives((ownId, options) => smallRequest(block, { user_id: ownId, other_id: userId }, options));
}

function report({ userId, callId }: EmergencyExit, reason: ReportReason): Promise<boolean> {
  return arrives((ownId, options) =>
    smallRequest(feedback, { user_id: ownId, other_id: userId, id: reason, call_id: callId }, options),
  );
}

/** False when it has to be sent again; what was refused would be refused again. */
async function arrives(send: (ownId: number, options: RequestOptions) => Promise<unknown>): Promise<boolean> {
  const user = currentUser();
  if (!user) return false;
  try {
    await send(user.user_id, { keepalive: true });
    return true;
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    return error.code === codes.badInput || error.code === codes.forbidden;
  }
}

const unsentSchema = v.object({
  reporterId: v.number(),
  /** Until when it could be taken back. */
  endsAtMs: v.number(),
  exited: v.object({ userId: v.number(), nickname: v.string(), callId: v.string() }),
  reason: v.picklist(reportReasonIds),
});
type Unsent = v.InferOutput<typeof unsentSchema>;

/** A page of the version before has stored one alone. */
const storedSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.array(unsentSchema),
    v.pipe(
      unsentSchema,
      v.transform((one) => [one]),
    ),
  ]),
);

/** All that has perhaps not arrived, oldest first. */
function readUnsent(): readonly Unsent[] {
  const read = v.safeParse(storedSchema, readStored("unsentPanic"));
  return read.success ? read.output : [];
}

function keepUnsent({ exited, reason, endsAtMs }: Omit<Unsent, "reporterId">): void {
  const user = currentUser();
  if (user) writeUnsent([...unsentBut(exited), { reporterId: user.user_id, endsAtMs, exited, reason }]);
}

function dropUnsent(exited: EmergencyExit): void {
  writeUnsent(unsentBut(exited));
}

function unsentBut({ callId }: EmergencyExit): readonly Unsent[] {
  return readUnsent().filter(({ exited }) => exited.callId !== callId);
}

function writeUnsent(left: readonly Unsent[]): void {
  if (left.length === 0) removeStored("unsentPanic");
  else writeStored("unsentPanic", JSON.stringify(left.slice(-unsentMax)));
}
