import type { CaseEffect, CaseStep } from "./case-machine.ts";
import { type CasesState, closedBecause, decidedMax, isFree, type PendingCase, type Verdict } from "./case-state.ts";
import { undoMs } from "@fava/wire/limits.ts";

type Open = (state: CasesState, id: string) => CaseStep;

/**
 * Takes a decision over at once: the case leaves the queue, the next one opens and is claimed, and the decision is sent
 * when its time to undo is over (rule DESK-102). An earlier one that still waits is sent now.
 */
export function decideCase(state: CasesState, verdict: Verdict, open: Open): CaseStep {
  if (closedBecause(state) !== null || state.open?.phase !== "ready") return { state, effects: [] };
  const { detail } = state.open;
  const at = state.queue.rows.findIndex(({ id }) => id === detail.id);
  const pending: PendingCase = { row: state.queue.rows[at] ?? detail, index: at, verdict, isHeld: false };
  const earlier: readonly CaseEffect[] = state.pending
    ? [{ type: "send", pending: state.pending, isLeaving: false }]
    : [];
  const claim: readonly CaseEffect[] = detail.claim?.mine ? [] : [{ type: "set-claim", id: detail.id, on: 1 }];
  const rows = state.queue.rows.filter(({ id }) => id !== detail.id);
  const waiting = at < 0 ? state.queue.waiting : Math.max(0, state.queue.waiting - 1);
  const decided = [...state.decided, detail.id].slice(-decidedMax);
  const without: CasesState = { ...state, queue: { ...state.queue, rows, waiting }, decided, pending, open: null };
  const to = rows.slice(Math.max(0, at)).find(isFree) ?? rows.find(isFree);
  const next = to ? open(without, to.id) : { state: without, effects: [] };
  const claimNext: readonly CaseEffect[] = to ? [{ type: "set-claim", id: to.id, on: 1 }] : [];
  return {
    state: next.state,
    effects: [...earlier, ...claim, { type: "start-timer", delayMs: undoMs }, ...next.effects, ...claimNext],
  };
}

/** Takes the pending decision back and opens its case again. */
export function undoDecision(state: CasesState, open: Open): CaseStep {
  if (!state.pending) return { state, effects: [] };
  const { pending } = state;
  const back = putBack({ ...state, pending: null }, pending);
  const opened = open(back.state, pending.row.id);
  return { state: opened.state, effects: [{ type: "stop-timer" }, ...opened.effects] };
}

/** Sends the pending decision; without a network it waits for one, except when the page goes away. */
export function flushDecision(state: CasesState, isLeaving: boolean): CaseStep {
  const { pending } = state;
  if (!pending) return { state, effects: [] };
  if (!state.isOnline && !isLeaving) return { state: { ...state, pending: { ...pending, isHeld: true } }, effects: [] };
  return {
    state: { ...state, pending: null },
    effects: [{ type: "stop-timer" }, { type: "send", pending, isLeaving }],
  };
}

/** The case of a decision that does not hold is in the queue again, where it was. */
export function putBack(state: CasesState, { row, index }: PendingCase): CaseStep {
  const decided = state.decided.filter((id) => id !== row.id);
  const { rows, waiting } = state.queue;
  if (index < 0 || rows.some(({ id }) => id === row.id)) return { state: { ...state, decided }, effects: [] };
  const queue = { ...state.queue, rows: [...rows.slice(0, index), row, ...rows.slice(index)], waiting: waiting + 1 };
  return { state: { ...state, decided, queue }, effects: [] };
}
