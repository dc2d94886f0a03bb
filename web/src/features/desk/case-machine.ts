import { claimMs, undoMs } from "@fava/wire/limits.ts";
import type { BanHours, CaseDetail, CaseRow, Claim, DeskPerson } from "@fava/wire/moderation.ts";
import type { banReasonIds } from "@fava/wire/reasons.ts";
import type { Step } from "./machine-store.ts";

type Box = "reports" | "restricted";
type Order = "harm" | "oldest" | "mine";
export type BanReasonId = (typeof banReasonIds)[number];

/** What is decided about a case. */
export type Verdict =
  | { readonly operation: 1 | 2 | 3 }
  | { readonly operation: 4; readonly hours: BanHours; readonly reasonId: BanReasonId; readonly note: string };

/** A decision that can still be undone; it names its own case, since the next one is open already. */
export interface PendingCase {
  readonly row: CaseRow;
  /** Where the row stood, to go back to. */
  readonly index: number;
  readonly verdict: Verdict;
  /** Its time is over, and it only waits for the network. */
  readonly isHeld: boolean;
}

type OpenCase =
  | { readonly phase: "loading" | "failed"; readonly id: string }
  | { readonly phase: "ready"; readonly id: string; readonly detail: CaseDetail; readonly lostTo: string | null };

interface Queue {
  readonly phase: "loading" | "ready" | "failed";
  readonly rows: readonly CaseRow[];
  readonly next: string | null;
  readonly waiting: number;
  readonly oldestAt: number | null;
}

export interface CasesState {
  readonly box: Box;
  readonly order: Order;
  readonly queue: Queue;
  readonly open: OpenCase | null;
  /** The next case, read ahead. */
  readonly ahead: CaseDetail | null;
  readonly pending: PendingCase | null;
  /** Decided here: an older answer must not bring them back. Newest last. */
  readonly decided: readonly string[];
  readonly isOnline: boolean;
}

interface QueuePage {
  readonly rows: readonly CaseRow[];
  readonly next: string | null;
  readonly waiting: number;
  readonly oldest_at: number | null;
}

/** So many decided cases are remembered. */
const decidedMax = 200;

export function initialCases(isOnline: boolean): CasesState {
  return {
    box: "reports",
    order: "harm",
    queue: { phase: "loading", rows: [], next: null, waiting: 0, oldestAt: null },
    open: null,
    ahead: null,
    pending: null,
    decided: [],
    isOnline,
  };
}

/** Why the open case cannot be decided now; null: it can. */
export type Closed =
  | { readonly because: "not-open" | "offline" | "second" }
  | { readonly because: "lost"; readonly to: string }
  | { readonly because: NonNullable<CaseDetail["closed_because"]> };

/** Whether the open case can be decided here and now (rule DESK-107). */
export function closedBecause({ open, isOnline }: CasesState): Closed | null {
  if (open?.phase !== "ready") return { because: "not-open" };
  const { detail, lostTo } = open;
  if (lostTo !== null) return { because: "lost", to: lostTo };
  if (detail.claim && !detail.claim.mine) return { because: "lost", to: detail.claim.name };
  if (detail.closed_because !== null && detail.closed_because !== "claimed") return { because: detail.closed_because };
  if (detail.state === "second") return { because: "second" };
  return isOnline ? null : { because: "offline" };
}

/** The row after the open one that nobody else works on; the first one where none is open. */
function followingRow({ queue, open }: CasesState): CaseRow | null {
  const at = queue.rows.findIndex(({ id }) => id === open?.id);
  return queue.rows.slice(at + 1).find(isFree) ?? null;
}

function isFree({ claim }: CaseRow): boolean {
  return claim === null || claim.mine;
}

export type CaseEvent =
  | { readonly type: "refresh" | "more" | "close" | "claim" | "skip" | "undo" | "due" | "leave" }
  | { readonly type: "filter"; readonly box: Box; readonly order: Order }
  | {
      readonly type: "queue-arrived";
      readonly box: Box;
      readonly order: Order;
      readonly cursor: string | null;
      readonly page: QueuePage;
    }
  | { readonly type: "queue-failed"; readonly box: Box; readonly order: Order }
  | { readonly type: "open"; readonly id: string }
  | { readonly type: "step"; readonly by: 1 | -1 }
  | { readonly type: "case-arrived"; readonly detail: CaseDetail; readonly isAhead: boolean }
  | { readonly type: "case-failed"; readonly id: string }
  | { readonly type: "claim-arrived"; readonly id: string; readonly claim: Claim | null }
  /** A key was pressed: whoever works keeps the claim. */
  | { readonly type: "active"; readonly nowMs: number }
  | { readonly type: "decide"; readonly verdict: Verdict }
  | { readonly type: "refused"; readonly pending: PendingCase }
  | { readonly type: "online"; readonly isOnline: boolean }
  | { readonly type: "tick"; readonly nowMs: number }
  | { readonly type: "person"; readonly subject: DeskPerson };

export type CaseEffect =
  | { readonly type: "load-queue"; readonly box: Box; readonly order: Order; readonly cursor: string | null }
  | { readonly type: "load-case"; readonly id: string; readonly isAhead: boolean }
  | { readonly type: "set-claim"; readonly id: string; readonly on: 0 | 1 }
  | { readonly type: "start-timer"; readonly delayMs: number }
  | { readonly type: "stop-timer" }
  /** `isLeaving`: the page goes away, the call has to outlive it. */
  | { readonly type: "send"; readonly pending: PendingCase; readonly isLeaving: boolean }
  | { readonly type: "tell-taken"; readonly person: string; readonly by: string };

type CaseStep = Step<CasesState, CaseEffect>;

/** A claim is renewed when this much of it is gone. */
const claimRenewMs = 60_000;

/** The queue of cases, the opened one, its claim and the decision that can still be undone (rules DESK-102 to 109). */
export function stepCases(state: CasesState, event: CaseEvent): CaseStep {
  switch (event.type) {
    case "refresh":
      return { state, effects: [loadQueue(state, null)] };
    case "more":
      return { state, effects: state.queue.next === null ? [] : [loadQueue(state, state.queue.next)] };
    case "filter":
      return filter(state, event);
    case "queue-arrived":
      return queueArrived(state, event);
    case "queue-failed":
      return isCurrent(state, event) ? same({ ...state, queue: { ...state.queue, phase: "failed" } }) : same(state);
    case "open":
      return openCase(state, event.id);
    case "close":
      return same({ ...state, open: null });
    case "step":
      return moved(state, event.by);
    case "case-arrived":
      return caseArrived(state, event.detail, event.isAhead);
    case "case-failed":
      return same(
        state.open?.id === event.id && state.open.phase === "loading"
          ? { ...state, open: { phase: "failed", id: event.id } }
          : state,
      );
    case "claim":
      return state.open ? { state, effects: [{ type: "set-claim", id: state.open.id, on: 1 }] } : same(state);
    case "claim-arrived":
      return claimArrived(state, event.id, event.claim);
    case "active":
      return renewed(state, event.nowMs);
    case "skip":
      return skipped(state);
    case "decide":
      return decideCase(state, event.verdict, openCase);
    case "undo":
      return undoDecision(state, openCase);
    case "due":
    case "leave":
      return flushDecision(state, event.type === "leave");
    case "refused":
      return refused(state, event.pending);
    case "online":
      return online(state, event.isOnline);
    case "tick":
      return same(withoutLapsedClaim(state, event.nowMs));
    case "person":
      return same(withSubject(state, event.subject));
  }
}

function same(state: CasesState): CaseStep {
  return { state, effects: [] };
}

function loadQueue({ box, order }: CasesState, cursor: string | null): CaseEffect {
  return { type: "load-queue", box, order, cursor };
}

function isCurrent(state: CasesState, { box, order }: { box: Box; order: Order }): boolean {
  return state.box === box && state.order === order;
}

function filter(state: CasesState, { box, order }: { box: Box; order: Order }): CaseStep {
  if (isCurrent(state, { box, order })) return same(state);
  const queue = { ...state.queue, phase: "loading", rows: [], next: null } as const;
  const open = box === state.box ? state.open : null;
  const next: CasesState = { ...state, box, order, queue, open, ahead: null };
  return { state: next, effects: [loadQueue(next, null)] };
}

function queueArrived(state: CasesState, event: Extract<CaseEvent, { type: "queue-arrived" }>): CaseStep {
  if (!isCurrent(state, event)) return same(state);
  const { page, cursor } = event;
  const fresh = page.rows.filter(({ id }) => !state.decided.includes(id));
  const ids = new Set(fresh.map(({ id }) => id));
  const before = cursor === null ? [] : state.queue.rows.filter(({ id }) => !ids.has(id));
  const queue = {
    phase: "ready",
    rows: [...before, ...fresh],
    next: page.next,
    waiting: Math.max(0, page.waiting - (page.rows.length - fresh.length)),
    oldestAt: page.oldest_at,
  } as const;
  return withAhead({ ...state, queue });
}

/** Opens a case for reading; what was read ahead is there at once, and is read again all the same. */
function openCase(state: CasesState, id: string): CaseStep {
  const load: CaseEffect = { type: "load-case", id, isAhead: false };
  if (state.open?.id === id && state.open.phase !== "failed") return same(state);
  const { ahead } = state;
  const open =
    ahead?.id === id
      ? ({ phase: "ready", id, detail: ahead, lostTo: null } as const)
      : ({ phase: "loading", id } as const);
  const next = withAhead({ ...state, open });
  // A case of the restricted queue is read once only: each reading is written down.
  const isKnown = open.phase === "ready" && state.box === "restricted";
  return { state: next.state, effects: isKnown ? next.effects : [load, ...next.effects] };
}

/** Reads the case after the open one ahead; never in the restricted queue, where each reading is written down. */
function withAhead(state: CasesState): CaseStep {
  if (state.box === "restricted") return same(state);
  const following = followingRow(state);
  if (!following || following.id === state.ahead?.id || following.id === state.open?.id) return same(state);
  return { state, effects: [{ type: "load-case", id: following.id, isAhead: true }] };
}

function moved(state: CasesState, by: 1 | -1): CaseStep {
  const { rows } = state.queue;
  const at = rows.findIndex(({ id }) => id === state.open?.id);
  const to = at < 0 ? rows[0] : rows[at + by];
  return to ? openCase(state, to.id) : same(state);
}

function caseArrived(state: CasesState, detail: CaseDetail, isAhead: boolean): CaseStep {
  const { open } = state;
  if (open?.id !== detail.id) return same(isAhead ? { ...state, ahead: detail } : state);
  // The case may have been read before the claim that was answered meanwhile.
  const claim = detail.claim ?? ownClaim(state, detail.id);
  const lostTo = open.phase === "ready" && !claim?.mine ? open.lostTo : null;
  return same({ ...state, open: { phase: "ready", id: detail.id, detail: { ...detail, claim }, lostTo } });
}

/** The claim on a case as the moderator has it here; one that is over goes with the next tick. */
function ownClaim({ open, queue }: CasesState, id: string): Claim | null {
  const opened = open?.phase === "ready" && open.id === id ? open.detail.claim : null;
  const claim = opened ?? queue.rows.find((row) => row.id === id)?.claim;
  return claim?.mine ? claim : null;
}

/** Everywhere the claim of a case is shown. */
function withClaim(state: CasesState, id: string, claim: Claim | null): CasesState {
  const rows = state.queue.rows.map((row) => (row.id === id ? { ...row, claim } : row));
  const { open } = state;
  const queue = { ...state.queue, rows };
  if (open?.phase !== "ready" || open.id !== id) return { ...state, queue };
  const wasMine = open.detail.claim?.mine === true;
  const lostTo = claim && !claim.mine && wasMine ? claim.name : null;
  return { ...state, queue, open: { ...open, detail: { ...open.detail, claim }, lostTo } };
}

function claimArrived(state: CasesState, id: string, claim: Claim | null): CaseStep {
  const taken = claim !== null && !claim.mine;
  if (state.pending?.row.id !== id || !taken) return same(withClaim(state, id, claim));
  // Somebody else was faster: the decision is off before it was sent.
  const { row } = state.pending;
  const back = putBack({ ...state, pending: null }, state.pending);
  return {
    state: withClaim(back.state, id, claim),
    effects: [{ type: "stop-timer" }, { type: "tell-taken", person: row.person.nickname, by: claim.name }],
  };
}

function renewed(state: CasesState, nowMs: number): CaseStep {
  const { open } = state;
  const claim = open?.phase === "ready" ? open.detail.claim : null;
  if (!open || !claim?.mine || claim.until - nowMs > claimMs - claimRenewMs) return same(state);
  return { state, effects: [{ type: "set-claim", id: open.id, on: 1 }] };
}

/** Gives the claim back and goes on to the next case. */
function skipped(state: CasesState): CaseStep {
  const { open } = state;
  if (!open) return same(state);
  const isMine = open.phase === "ready" && open.detail.claim?.mine === true;
  const back: readonly CaseEffect[] = isMine ? [{ type: "set-claim", id: open.id, on: 0 }] : [];
  const at = state.queue.rows.findIndex(({ id }) => id === open.id);
  const to = followingRow(state) ?? state.queue.rows.slice(0, Math.max(0, at)).find(isFree);
  if (!to) return { state: { ...state, open: null }, effects: back };
  const next = openCase(withClaim(state, open.id, null), to.id);
  return { state: next.state, effects: [...back, ...next.effects] };
}

/** The server did not take the decision: what it says now of the queue holds. */
function refused(state: CasesState, { row }: PendingCase): CaseStep {
  const decided = state.decided.filter((id) => id !== row.id);
  return { state: { ...state, decided }, effects: [loadQueue(state, null)] };
}

function online(state: CasesState, isOnline: boolean): CaseStep {
  const next = { ...state, isOnline };
  if (!isOnline || state.isOnline) return same(next);
  const flushed = state.pending?.isHeld ? flushDecision(next, false) : same(next);
  return { state: flushed.state, effects: [...flushed.effects, loadQueue(next, null)] };
}

function withoutLapsedClaim(state: CasesState, nowMs: number): CasesState {
  const { open } = state;
  const claim = open?.phase === "ready" ? open.detail.claim : null;
  return open && claim && claim.until <= nowMs ? withClaim(state, open.id, null) : state;
}

function withSubject(state: CasesState, subject: DeskPerson): CasesState {
  const { open } = state;
  if (open?.phase !== "ready" || open.detail.subject.user_id !== subject.user_id) return state;
  return { ...state, open: { ...open, detail: { ...open.detail, subject } } };
}

type Open = (state: CasesState, id: string) => CaseStep;

/**
 * Takes a decision over at once: the case leaves the queue, the next one opens and is claimed, and the decision is sent
 * when its time to undo is over (rule DESK-102). An earlier one that still waits is sent now.
 */
function decideCase(state: CasesState, verdict: Verdict, open: Open): CaseStep {
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
function undoDecision(state: CasesState, open: Open): CaseStep {
  if (!state.pending) return { state, effects: [] };
  const { pending } = state;
  const back = putBack({ ...state, pending: null }, pending);
  const opened = open(back.state, pending.row.id);
  return { state: opened.state, effects: [{ type: "stop-timer" }, ...opened.effects] };
}

/** Sends the pending decision; without a network it waits for one, except when the page goes away. */
function flushDecision(state: CasesState, isLeaving: boolean): CaseStep {
  const { pending } = state;
  if (!pending) return { state, effects: [] };
  if (!state.isOnline && !isLeaving) return { state: { ...state, pending: { ...pending, isHeld: true } }, effects: [] };
  return {
    state: { ...state, pending: null },
    effects: [{ type: "stop-timer" }, { type: "send", pending, isLeaving }],
  };
}

/** The case of a decision that does not hold is in the queue again, where it was. */
function putBack(state: CasesState, { row, index }: PendingCase): CaseStep {
  const decided = state.decided.filter((id) => id !== row.id);
  const { rows, waiting } = state.queue;
  if (index < 0 || rows.some(({ id }) => id === row.id)) return { state: { ...state, decided }, effects: [] };
  const queue = { ...state.queue, rows: [...rows.slice(0, index), row, ...rows.slice(index)], waiting: waiting + 1 };
  return { state: { ...state, decided, queue }, effects: [] };
}
