import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { adminAppeal, adminAppealList, AppealRow } from "@fava/wire/endpoints/appeals.ts";
import type { CaseDetail, Claim } from "@fava/wire/moderation.ts";
import { undoMs } from "@fava/wire/limits.ts";
import type { Step } from "./machine-store.ts";

export type AppealDetail = OutputOf<typeof adminAppeal>;
type AppealLists = OutputOf<typeof adminAppealList>;
export const shortenedHours = [1, 24, 168, 720] as const;

/** What the second person makes of a ban for good, or of an appeal. */
export type AppealVerdict =
  | { readonly kind: "second"; readonly operation: 1 | 2 | 4 }
  | { readonly kind: "appeal"; readonly outcome: "upheld" | "lifted"; readonly answer: string }
  | {
      readonly kind: "appeal";
      readonly outcome: "shortened";
      readonly hours: (typeof shortenedHours)[number];
      readonly answer: string;
    };

export interface PendingAppeal {
  readonly row: AppealRow;
  readonly verdict: AppealVerdict;
  readonly isHeld: boolean;
}

type OpenAppeal =
  | { readonly phase: "loading" | "failed"; readonly row: AppealRow }
  | { readonly phase: "ready"; readonly row: AppealRow; readonly kind: "second"; readonly detail: CaseDetail }
  | { readonly phase: "ready"; readonly row: AppealRow; readonly kind: "appeal"; readonly detail: AppealDetail };

export interface AppealsState {
  readonly phase: "loading" | "ready" | "failed";
  readonly seconds: readonly AppealRow[];
  readonly appeals: readonly AppealRow[];
  readonly open: OpenAppeal | null;
  readonly pending: PendingAppeal | null;
  readonly isOnline: boolean;
}

export type AppealEvent =
  | { readonly type: "refresh" | "close" | "undo" | "due" | "leave" }
  | { readonly type: "arrived"; readonly lists: AppealLists }
  | { readonly type: "failed" }
  | { readonly type: "open"; readonly row: AppealRow }
  | { readonly type: "step"; readonly by: 1 | -1 }
  | { readonly type: "second-arrived"; readonly detail: CaseDetail }
  | { readonly type: "appeal-arrived"; readonly id: string; readonly detail: AppealDetail }
  | { readonly type: "detail-failed"; readonly id: string }
  | { readonly type: "claim-arrived"; readonly id: string; readonly claim: Claim | null }
  | { readonly type: "decide"; readonly verdict: AppealVerdict }
  | { readonly type: "refused" }
  | { readonly type: "online"; readonly isOnline: boolean };

export type AppealEffect =
  | { readonly type: "load" }
  | { readonly type: "load-detail"; readonly row: AppealRow }
  | { readonly type: "set-claim"; readonly row: AppealRow; readonly on: 0 | 1 }
  | { readonly type: "start-timer"; readonly delayMs: number }
  | { readonly type: "stop-timer" }
  | { readonly type: "send"; readonly pending: PendingAppeal; readonly isLeaving: boolean };

type AppealStep = Step<AppealsState, AppealEffect>;

export function initialAppeals(isOnline: boolean): AppealsState {
  return { phase: "loading", seconds: [], appeals: [], open: null, pending: null, isOnline };
}

/** Why the open item is not the reader's to decide; null: it is (rule DESK-121). */
export function appealClosed({ open, isOnline }: AppealsState) {
  if (open?.phase !== "ready") return "not-open" as const;
  if (open.row.is_own) return "first_decider" as const;
  if (open.row.claim && !open.row.claim.mine) return "claimed" as const;
  const because = open.detail.closed_because;
  if (because !== null && because !== "claimed") return because;
  return isOnline ? null : ("offline" as const);
}

/** Second opinions and appeals: what is opened, and the decision that can still be undone (rules DESK-121, DESK-122). */
export function stepAppeals(state: AppealsState, event: AppealEvent): AppealStep {
  switch (event.type) {
    case "refresh":
      return { state, effects: [{ type: "load" }] };
    case "arrived":
      return same(arrived(state, event.lists));
    case "failed":
      return same({ ...state, phase: "failed" });
    case "open":
      return opened(state, event.row);
    case "step":
      return stepped(state, event.by);
    case "close":
      return { state: { ...state, open: null }, effects: giveBack(state) };
    case "second-arrived":
      return shown(state, event.detail.id, (row) => ({ phase: "ready", row, kind: "second", detail: event.detail }));
    case "appeal-arrived":
      return shown(state, event.id, (row) => ({ phase: "ready", row, kind: "appeal", detail: event.detail }));
    case "detail-failed":
      return same(
        state.open?.row.id === event.id ? { ...state, open: { phase: "failed", row: state.open.row } } : state,
      );
    case "claim-arrived":
      return same(withClaim(state, event.id, event.claim));
    case "decide":
      return decided(state, event.verdict);
    case "undo":
      return undone(state);
    case "due":
    case "leave":
      return flushed(state, event.type === "leave");
    case "refused":
      return { state, effects: [{ type: "load" }] };
    case "online": {
      const next = { ...state, isOnline: event.isOnline };
      return event.isOnline && state.pending?.isHeld ? flushed(next, false) : same(next);
    }
  }
}

function same(state: AppealsState): AppealStep {
  return { state, effects: [] };
}

function arrived(state: AppealsState, { seconds, appeals }: AppealLists): AppealsState {
  const isPending = (row: AppealRow) => row.id === state.pending?.row.id && row.kind === state.pending.row.kind;
  const waiting = (rows: readonly AppealRow[]) => rows.filter((row) => !isPending(row));
  return { ...state, phase: "ready", seconds: waiting(seconds), appeals: waiting(appeals) };
}

function opened(state: AppealsState, row: AppealRow): AppealStep {
  if (state.open?.row.id === row.id && state.open.row.kind === row.kind && state.open.phase !== "failed")
    return same(state);
  const effects: AppealEffect[] = [...giveBack(state), { type: "load-detail", row }];
  return { state: { ...state, open: { phase: "loading", row } }, effects };
}

function stepped(state: AppealsState, by: 1 | -1): AppealStep {
  const rows = [...state.seconds, ...state.appeals];
  const at = rows.findIndex(({ id, kind }) => id === state.open?.row.id && kind === state.open.row.kind);
  const to = at < 0 ? rows[0] : rows[at + by];
  return to ? opened(state, to) : same(state);
}

/** Whoever leaves an item undecided gives it back. */
function giveBack({ open }: AppealsState): readonly AppealEffect[] {
  return open?.row.claim?.mine ? [{ type: "set-claim", row: open.row, on: 0 }] : [];
}

/** What is opened to be decided is claimed; what is closed is only read. */
function shown(state: AppealsState, id: string, open: (row: AppealRow) => OpenAppeal): AppealStep {
  if (state.open?.row.id !== id) return same(state);
  const next = { ...state, open: open(state.open.row) };
  const closed = appealClosed(next);
  const claims = closed === null && next.open.row.claim === null;
  return { state: next, effects: claims ? [{ type: "set-claim", row: next.open.row, on: 1 }] : [] };
}

function withClaim(state: AppealsState, id: string, claim: Claim | null): AppealsState {
  const change = (row: AppealRow) => (row.id === id ? { ...row, claim } : row);
  return {
    ...state,
    seconds: state.seconds.map(change),
    appeals: state.appeals.map(change),
    open: state.open ? { ...state.open, row: change(state.open.row) } : null,
  };
}

function decided(state: AppealsState, verdict: AppealVerdict): AppealStep {
  if (appealClosed(state) !== null || !state.open || state.open.row.kind !== verdict.kind) return same(state);
  const { row } = state.open;
  const earlier: readonly AppealEffect[] = state.pending
    ? [{ type: "send", pending: state.pending, isLeaving: false }]
    : [];
  const waiting = (rows: readonly AppealRow[]) => rows.filter((one) => one.id !== row.id || one.kind !== row.kind);
  const next: AppealsState = {
    ...state,
    seconds: waiting(state.seconds),
    appeals: waiting(state.appeals),
    open: null,
    pending: { row, verdict, isHeld: false },
  };
  return { state: next, effects: [...earlier, { type: "start-timer", delayMs: undoMs }] };
}

function undone(state: AppealsState): AppealStep {
  const { pending } = state;
  if (!pending) return same(state);
  const { row } = pending;
  const list = row.kind === "second" ? "seconds" : "appeals";
  const back = { ...state, pending: null, [list]: [row, ...state[list]] };
  const again = opened(back, row);
  return { state: again.state, effects: [{ type: "stop-timer" }, ...again.effects] };
}

function flushed(state: AppealsState, isLeaving: boolean): AppealStep {
  const { pending } = state;
  if (!pending) return same(state);
  if (!state.isOnline && !isLeaving) return same({ ...state, pending: { ...pending, isHeld: true } });
  return {
    state: { ...state, pending: null },
    effects: [{ type: "stop-timer" }, { type: "send", pending, isLeaving }],
  };
}
