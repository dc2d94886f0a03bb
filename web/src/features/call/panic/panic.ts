import { codes } from "@fava/wire/codes.ts";
import { feedback } from "@fava/wire/endpoints/moderation.ts";
import { block } from "@fava/wire/endpoints/social.ts";
import { undoMs } from "@fava/wire/limits.ts";
import { reasons, type ReportReason, reportReasonIds } from "@fava/wire/reasons.ts";
import * as v from "valibot";
import { createStore, useStore } from "zustand";
import { hidePerson } from "#features/people/relations.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { type RequestOptions, smallRequest } from "#lib/api/request.ts";
import { currentUser } from "#lib/session.ts";
import { onReachableAgain } from "#lib/socket/connection.ts";
import { readStored, removeStored, writeStored } from "#lib/storage.ts";

export interface EmergencyExit {
  readonly userId: number;
  readonly nickname: string;
  readonly callId: string;
  /** The chat line that the report is about; null: the whole call. */
  readonly lineId: string | null;
}

/** The reason of the report until the user chooses another. */
export const reasonAtFirst = reasons.violation.id;

/**
 * The state of block and report after the emergency exit:
 *
 * none: no exit. waiting: both can be withdrawn until `endsAtMs`. sending: both are being sent. sent: the server has
 * stored them; another reason goes as a further report. failed: the server did not respond; the user can retry. undone:
 * neither is sent, and the call stays over.
 *
 * `note` is the user's description so far. It is sent once: when the user finishes it (`isNoteDone`) or leaves the
 * page. The report does not wait for it.
 */
interface Told {
  readonly exited: EmergencyExit;
  readonly reason: ReportReason;
  readonly note: string;
}

interface Writing extends Told {
  readonly isNoteDone: boolean;
}

export type PanicState =
  | { step: "none" }
  | ({ step: "waiting"; endsAtMs: number } & Writing)
  | ({ step: "sending" | "sent" | "failed" } & Writing)
  | { step: "undone"; exited: EmergencyExit };

export type PanicEvent =
  | { type: "exited"; exited: EmergencyExit; reason: ReportReason; nowMs: number }
  | { type: "undo" }
  | { type: "reason"; reason: ReportReason }
  | { type: "note"; note: string }
  /** The user has finished the description. */
  | { type: "send-note" }
  /** The time to undo is over, or the user retries. */
  | { type: "send" }
  /** The page may close at any moment: sends everything that was not sent. */
  | { type: "finish" }
  | { type: "answered"; exited: EmergencyExit; arrived: boolean }
  /** The user leaves the page, or the session has ended. */
  | { type: "leave" };

/** `send-more`: a further report; the block is stored already, or being sent. */
type PanicEffect = { type: "send" | "send-more" } & Told;

export interface PanicStep {
  state: PanicState;
  effects: readonly PanicEffect[];
}

export const noPanic: PanicState = { step: "none" };

/** The page after the emergency exit. Pure; `panic.ts` runs the effects. */
export function stepPanic(state: PanicState, event: PanicEvent): PanicStep {
  switch (event.type) {
    case "exited": {
      const told = { exited: event.exited, reason: event.reason, note: "", isNoteDone: false };
      return { state: { step: "waiting", ...told, endsAtMs: event.nowMs + undoMs }, effects: finish(state).effects };
    }
    case "undo":
      return state.step === "waiting" ? { state: { step: "undone", exited: state.exited }, effects: [] } : same(state);
    case "reason":
      return chosen(state, event.reason);
    case "note":
      return written(state, event.note);
    case "send-note":
      return sayNote(state);
    case "send":
      return state.step === "waiting" || state.step === "failed" ? send(state) : same(state);
    case "finish":
      return finish(state);
    case "answered":
      if (state.step !== "sending" || state.exited !== event.exited) return same(state);
      return { state: { ...state, step: event.arrived ? "sent" : "failed" }, effects: [] };
    case "leave":
      return { state: noPanic, effects: finish(state).effects };
  }
}

/** Leaving the page withdraws nothing: only Undo does. */
function finish(state: PanicState): PanicStep {
  const { state: done, effects } = sayNote(state);
  return done.step === "waiting" || done.step === "failed" ? send(done) : { state: done, effects };
}

function written(state: PanicState, note: string): PanicStep {
  if (state.step === "none" || state.step === "undone" || state.isNoteDone) return same(state);
  return { state: { ...state, note }, effects: [] };
}

/** Part of a report that was not sent, otherwise a further report. */
function sayNote(state: PanicState): PanicStep {
  if (state.step === "none" || state.step === "undone" || state.isNoteDone || state.note.trim() === "")
    return same(state);
  const next = { ...state, isNoteDone: true };
  if (state.step === "waiting" || state.step === "failed") return { state: next, effects: [] };
  return { state: next, effects: [{ type: "send-more", ...toldIn(next) }] };
}

function chosen(state: PanicState, reason: ReportReason): PanicStep {
  if (state.step === "none" || state.step === "undone" || state.reason === reason) return same(state);
  const next = { ...state, reason };
  if (state.step === "waiting" || state.step === "failed") return { state: next, effects: [] };
  return { state: next, effects: [{ type: "send-more", exited: state.exited, reason, note: "" }] };
}

function send({ exited, reason, note, isNoteDone }: Writing): PanicStep {
  const state = { step: "sending", exited, reason, note, isNoteDone } as const;
  return { state, effects: [{ type: "send", ...toldIn(state) }] };
}

function toldIn({ exited, reason, note, isNoteDone }: Writing): Told {
  return { exited, reason, note: isNoteDone ? note.trim() : "" };
}

function same(state: PanicState): PanicStep {
  return { state, effects: [] };
}

/** An open page sends within this long after the time to undo. */
const sendGraceMs = 2_000;
/** The number of unsent exits that are kept; beyond it the oldest are dropped. */
const unsentMax = 20;

const store = createStore<PanicState>(() => noPanic);
let timer: ReturnType<typeof setTimeout> | undefined;
/**
 * The latest block and report, stored or not: the next search waits for it, so that it does not find the same person.
 */
let settled: Promise<unknown> = Promise.resolve();
/** The calls whose block and report this page is sending. */
const underway = new Set<string>();

export function usePanic(): PanicState {
  return useStore(store);
}

export function isPanicShown(): boolean {
  return store.getState().step !== "none";
}

/** Shows the page after an emergency exit; block and report are sent with `reason` in five seconds. */
export function startEmergencyExit(exited: EmergencyExit, reason: ReportReason): void {
  clearTimeout(timer);
  dispatch({ type: "exited", exited, reason, nowMs: Date.now() });
  timer = setTimeout(() => dispatch({ type: "send" }), undoMs);
  sendLeft();
}

export function undoPanic(): void {
  dispatch({ type: "undo" });
}

export function sendPanic(): void {
  dispatch({ type: "send" });
}

export function choosePanicReason(reason: ReportReason): void {
  dispatch({ type: "reason", reason });
}

/** Sends what was not sent, while the page stays; resolves when the server has responded. */
export async function finishPanic(): Promise<void> {
  dispatch({ type: "finish" });
  await settled;
}

/** Closes the page; resolves when the server has responded to block and report. */
export async function leavePanic(): Promise<void> {
  dispatch({ type: "leave" });
  await settled;
}

export function writeNote(note: string): void {
  dispatch({ type: "note", note });
}

export function sendNote(): void {
  dispatch({ type: "send-note" });
}

/**
 * Until `signal` aborts, sends the exits that failed or that a closed page left behind, whenever the server may be
 * reachable, and sends at once when this page closes.
 */
export function watchPanic(signal: AbortSignal): void {
  // Another tab may be counting down: give it time to send by itself.
  const lastEndsAtMs = Math.max(0, ...readUnsent().map(({ endsAtMs }) => endsAtMs));
  const sendingLeft = setTimeout(sendLeft, Math.max(0, lastEndsAtMs - Date.now()) + sendGraceMs);
  const stop = onReachableAgain(sendLeft);
  window.addEventListener("pagehide", () => dispatch({ type: "finish" }), { signal });
  signal.addEventListener("abort", () => {
    clearTimeout(sendingLeft);
    stop();
    dispatch({ type: "leave" });
  });
}

/** Sends the stored exits, except those that the user can still undo, in this tab or another. */
function sendLeft(): void {
  const shown = store.getState();
  if (shown.step === "failed") sendPanic();
  const shownCallId = shown.step === "none" ? null : shown.exited.callId;
  const userId = currentUser()?.user_id;
  const due = readUnsent().filter(
    ({ reporterId, endsAtMs, exited: { callId } }) =>
      reporterId === userId && endsAtMs <= Date.now() && callId !== shownCallId && !underway.has(callId),
  );
  if (due.length > 0) settled = Promise.all([settled, ...due.map((told) => settle(told))]);
}

function dispatch(event: PanicEvent): void {
  const { state, effects } = stepPanic(store.getState(), event);
  if (state.step !== "waiting") clearTimeout(timer);
  store.setState(state, true);
  const isTold = event.type === "exited" || event.type === "reason" || event.type === "note";
  if (isTold && state.step === "waiting") keepUnsent(state);
  if (event.type === "undo" && state.step === "undone") dropUnsent(state.exited);
  for (const effect of effects) {
    settled = effect.type === "send-more" ? report(effect) : settle(effect);
  }
}

/** Sends block and report, each even if the other fails. The stored copy is removed only when the server has both. */
async function settle({ exited, reason, note }: Told): Promise<void> {
  keepUnsent({ exited, reason, note, endsAtMs: Date.now() });
  underway.add(exited.callId);
  const blocked = blockFled(exited);
  hidePerson(exited.userId, blocked);
  const both = Promise.all([report({ exited, reason, note }), blocked]);
  const arrived = (await both.finally(() => underway.delete(exited.callId))).every(Boolean);
  if (arrived) dropUnsent(exited);
  const { state } = stepPanic(store.getState(), { type: "answered", exited, arrived });
  store.setState(state, true);
}

function blockFled({ userId }: EmergencyExit): Promise<boolean> {
  return arrives((ownId, options) => smallRequest(block, { user_id: ownId, other_id: userId }, options));
}

function report({ exited: { userId, callId, lineId }, reason, note }: Told): Promise<boolean> {
  const words = { ...(lineId !== null && { line_id: lineId }), ...(note !== "" && { note }) };
  const about = { other_id: userId, id: reason, call_id: callId, ...words };
  return arrives((ownId, options) => smallRequest(feedback, { user_id: ownId, ...about }, options));
}

/** Resolves to false when it has to be sent again; a rejected request would be rejected again. */
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
  /** Until when the user could undo it, in milliseconds since the epoch. */
  endsAtMs: v.number(),
  exited: v.object({
    userId: v.number(),
    nickname: v.string(),
    callId: v.string(),
    lineId: v.nullable(v.string()),
  }),
  reason: v.picklist(reportReasonIds),
  note: v.string(),
});
type Unsent = v.InferOutput<typeof unsentSchema>;

const storedSchema = v.pipe(v.string(), v.parseJson(), v.array(unsentSchema));

/** The exits that the server may not have, oldest first. */
function readUnsent(): readonly Unsent[] {
  const read = v.safeParse(storedSchema, readStored("unsentPanic"));
  return read.success ? read.output : [];
}

function keepUnsent({ exited, reason, note, endsAtMs }: Omit<Unsent, "reporterId">): void {
  const user = currentUser();
  if (user) writeUnsent([...unsentBut(exited), { reporterId: user.user_id, endsAtMs, exited, reason, note }]);
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
