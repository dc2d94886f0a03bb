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
import { onBack } from "#lib/socket/connection.ts";
import { readStored, removeStored, writeStored } from "#lib/storage.ts";

/** Whom this person has exited from, and in which call. */
export interface EmergencyExit {
  readonly userId: number;
  readonly nickname: string;
  readonly callId: string;
  /** The line of the call that the report is about; null: the whole call. */
  readonly lineId: string | null;
}

/** The report says this until the person says something better: another rule was broken. */
export const reasonAtFirst = reasons.violation.id;

/**
 * What becomes of a person after the panic key, told in states with their own data:
 *
 * none: nobody. waiting: block and report can be taken back until `endsAtMs`. sending: both are on their way. sent: the
 *   server has them; another reason goes as a further report. failed: the server does not answer; it can be tried again.
 *   undone: neither happens; the call stays over.
 *
 * `note` is what the person has written so far. It goes once: when they say that it is done (`isNoteDone`), or with the
 * page; the report does not wait for it.
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
  /** The person has written what they wanted to. */
  | { type: "send-note" }
  /** The time to undo is over, or the person tries again. */
  | { type: "send" }
  /** The page may be gone at once: all that has not gone goes now. */
  | { type: "finish" }
  | { type: "answered"; exited: EmergencyExit; arrived: boolean }
  /** The person goes on, home or to somebody else; or the session has ended. */
  | { type: "leave" };

/** `send-more`: a further report; the block is stored already, or on its way. */
type PanicEffect = { type: "send" | "send-more" } & Told;

export interface PanicStep {
  state: PanicState;
  effects: readonly PanicEffect[];
}

export const calm: PanicState = { step: "none" };

/** The page after the panic key. Pure; `panic.ts` runs the effects. */
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
      return { state: calm, effects: finish(state).effects };
  }
}

/** Leaving by whatever way takes nothing back: only Undo does. */
function finish(state: PanicState): PanicStep {
  const { state: done, effects } = sayNote(state);
  return done.step === "waiting" || done.step === "failed" ? send(done) : { state: done, effects };
}

function written(state: PanicState, note: string): PanicStep {
  if (state.step === "none" || state.step === "undone" || state.isNoteDone) return same(state);
  return { state: { ...state, note }, effects: [] };
}

/** Goes with a report that has not gone, otherwise after it. */
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

/** This person has left the call in fear: the page says so, and block and report, with this reason at first, go in five seconds. */
export function exitFrom(exited: EmergencyExit, reason: ReportReason): void {
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

export function sayReason(reason: ReportReason): void {
  dispatch({ type: "reason", reason });
}

/** Sends what has not gone, while the page stays; resolves when it has been answered. */
export async function finishPanic(): Promise<void> {
  dispatch({ type: "finish" });
  await settled;
}

/** Closes the page; resolves when block and report have been answered. */
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
 * Sends what did not arrive, or was left behind by a page that was closed in the middle, whenever it may arrive now, and
 * lets a page that is being closed send at once, until `signal` is aborted.
 */
export function watchPanic(signal: AbortSignal): void {
  // Another tab may be counting down: it is left the time to send by itself.
  const lastEndsAtMs = Math.max(0, ...readUnsent().map(({ endsAtMs }) => endsAtMs));
  const sendingLeft = setTimeout(sendLeft, Math.max(0, lastEndsAtMs - Date.now()) + sendGraceMs);
  const stop = onBack(sendLeft);
  window.addEventListener("pagehide", () => dispatch({ type: "finish" }), { signal });
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

/** Blocks and reports; both are tried, and what was stored for the next page goes only when both have arrived. */
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

/** All that has perhaps not arrived, oldest first. */
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
