import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { adminAvatarList } from "@fava/wire/endpoints/moderation.ts";
import { undoMs } from "@fava/wire/limits.ts";
import type { Claim, pictureReasonIds } from "@fava/wire/moderation.ts";
import type { Step } from "./machine-store.ts";

type PicturePage = OutputOf<typeof adminAvatarList>;
export type PictureRow = PicturePage["rows"][number];
export type PictureReason = (typeof pictureReasonIds)[number];
type PictureFilter = "all" | "unsure" | "reported" | "random";
export const pictureFilters = ["all", "unsure", "reported", "random"] as const;

export type PictureVerdict = { readonly operation: 1 } | { readonly operation: 2; readonly reasonId: PictureReason };

/** Pictures decided together that can still be undone: one, or the random checks of a page. */
export interface PendingPictures {
  readonly rows: readonly PictureRow[];
  readonly verdict: PictureVerdict;
  readonly isHeld: boolean;
}

export interface ReviewState {
  readonly phase: "loading" | "ready" | "failed";
  readonly rows: readonly PictureRow[];
  readonly next: string | null;
  readonly waiting: number;
  readonly oldestAt: number | null;
  readonly filter: PictureFilter;
  readonly mode: "grid" | "one";
  readonly current: string | null;
  /** The moderator wants flagged pictures covered until asked for. */
  readonly isBlurred: boolean;
  /** Uncovered by hand; what is clear from the start needs no hand. */
  readonly uncovered: ReadonlySet<string>;
  /** Covered again by hand, out of what is clear from the start. */
  readonly covered: ReadonlySet<string>;
  /** Were in full view: only these can be decided. */
  readonly seen: ReadonlySet<string>;
  readonly marks: ReadonlyMap<string, PictureVerdict>;
  readonly pending: PendingPictures | null;
  readonly isOnline: boolean;
}

export function initialReview({ isOnline, isBlurred }: { isOnline: boolean; isBlurred: boolean }): ReviewState {
  return {
    phase: "loading",
    rows: [],
    next: null,
    waiting: 0,
    oldestAt: null,
    filter: "all",
    mode: "grid",
    current: null,
    isBlurred,
    uncovered: new Set(),
    covered: new Set(),
    seen: new Set(),
    marks: new Map(),
    pending: null,
    isOnline,
  };
}

/** Whether a picture belongs to a filter: what the models found something in, they are unsure about. */
export function belongsTo(filter: PictureFilter, { why }: PictureRow): boolean {
  switch (filter) {
    case "all":
      return true;
    case "reported":
    case "random":
      return why === filter;
    case "unsure":
      return why === "unsure" || why === "contact" || why === "like_removed";
  }
}

export function shownRows(state: ReviewState): readonly PictureRow[] {
  return state.rows.filter((row) => belongsTo(state.filter, row));
}

/**
 * Clear from the start: what the models looked at and found nothing in, and everything where the moderator has switched
 * the covers off.
 */
function isClearFirst({ isBlurred }: ReviewState, { why, explicit }: PictureRow): boolean {
  return why === "random" || (why === "new" && explicit !== null) || !isBlurred;
}

/** Covered until asked for, unless it is clear from the start (rule DESK-111). */
export function isCovered(state: ReviewState, row: PictureRow): boolean {
  return isClearFirst(state, row) ? state.covered.has(row.id) : !state.uncovered.has(row.id);
}

export function currentRow(state: ReviewState): PictureRow | null {
  return shownRows(state).find(({ id }) => id === state.current) ?? null;
}

/** Why a picture cannot be decided now; null: it can (rules DESK-111, DESK-106). */
export function pictureClosed(state: ReviewState, row: PictureRow): "marked" | "claimed" | "unseen" | "offline" | null {
  if (state.marks.has(row.id)) return "marked";
  if (row.claim && !row.claim.mine) return "claimed";
  if (!state.isOnline) return "offline";
  return state.seen.has(row.id) ? null : "unseen";
}

/** Random checks that were in full view: the only ones that may be approved together (rule DESK-112). */
export function safeTogether(state: ReviewState): readonly PictureRow[] {
  return shownRows(state).filter((row) => row.why === "random" && pictureClosed(state, row) === null);
}

export type ReviewEvent =
  | { readonly type: "refresh" | "more" | "undo" | "due" | "leave" | "toggle-mode" | "toggle-cover" | "approve-random" }
  | { readonly type: "arrived"; readonly cursor: string | null; readonly page: PicturePage }
  | { readonly type: "failed" }
  | { readonly type: "filter"; readonly filter: PictureFilter }
  | { readonly type: "mode"; readonly mode: ReviewState["mode"] }
  | { readonly type: "go"; readonly id: string }
  | { readonly type: "move"; readonly by: number }
  /** The picture stood uncovered in the window. */
  | { readonly type: "seen"; readonly id: string }
  | { readonly type: "decide"; readonly verdict: PictureVerdict }
  | { readonly type: "claim-arrived"; readonly id: string; readonly claim: Claim | null }
  | { readonly type: "refused"; readonly ids: readonly string[] }
  | { readonly type: "online"; readonly isOnline: boolean }
  | { readonly type: "blur"; readonly isBlurred: boolean };

export type ReviewEffect =
  | { readonly type: "load"; readonly cursor: string | null }
  | { readonly type: "set-claim"; readonly id: string; readonly on: 0 | 1 }
  | { readonly type: "start-timer"; readonly delayMs: number }
  | { readonly type: "stop-timer" }
  | { readonly type: "send"; readonly pending: PendingPictures; readonly isLeaving: boolean }
  | { readonly type: "tell-unseen" };

type ReviewStep = Step<ReviewState, ReviewEffect>;

/** Pictures that wait, the one that is looked at, and the decision that can still be undone (rules DESK-110 to 113). */
export function stepReview(state: ReviewState, event: ReviewEvent): ReviewStep {
  switch (event.type) {
    case "refresh":
      return { state, effects: [{ type: "load", cursor: null }] };
    case "more":
      return { state, effects: state.next === null ? [] : [{ type: "load", cursor: state.next }] };
    case "arrived":
      return same(arrived(state, event.cursor, event.page));
    case "failed":
      return same({ ...state, phase: "failed" });
    case "filter":
      return same(withCurrent({ ...state, filter: event.filter }));
    case "mode":
      return same({ ...state, mode: event.mode });
    case "toggle-mode":
      return same({ ...state, mode: state.mode === "grid" ? "one" : "grid" });
    case "go":
      return same({ ...state, current: event.id });
    case "move":
      return same(moved(state, event.by));
    case "toggle-cover":
      return toggledCover(state);
    case "seen":
      return same(state.seen.has(event.id) ? state : { ...state, seen: new Set([...state.seen, event.id]) });
    case "decide":
      return decideCurrent(state, event.verdict);
    case "approve-random":
      return decide(state, safeTogether(state), { operation: 1 });
    case "undo":
      return undone(state);
    case "due":
    case "leave":
      return flushed(state, event.type === "leave");
    case "claim-arrived":
      return same({
        ...state,
        rows: state.rows.map((row) => (row.id === event.id ? { ...row, claim: event.claim } : row)),
      });
    case "refused":
      return { state: withoutMarks(state, event.ids), effects: [{ type: "load", cursor: null }] };
    case "blur":
      return same({ ...state, isBlurred: event.isBlurred });
    case "online":
      return event.isOnline && state.pending?.isHeld
        ? flushed({ ...state, isOnline: true }, false)
        : same({ ...state, isOnline: event.isOnline });
  }
}

function same(state: ReviewState): ReviewStep {
  return { state, effects: [] };
}

/** A first page replaces the list, except what was decided here and is shown as such; the others come after. */
function arrived(state: ReviewState, cursor: string | null, page: PicturePage): ReviewState {
  const ids = new Set(page.rows.map(({ id }) => id));
  const kept = state.rows.filter(({ id }) => !ids.has(id) && (cursor !== null || state.marks.has(id)));
  return withCurrent({
    ...state,
    phase: "ready",
    rows: [...kept, ...page.rows],
    next: page.next,
    waiting: page.waiting,
    oldestAt: page.oldest_at,
  });
}

/** Something is always looked at: the first that waits, where the one before is gone. */
function withCurrent(state: ReviewState): ReviewState {
  if (currentRow(state)) return state;
  const rows = shownRows(state);
  const first = rows.find(({ id }) => !state.marks.has(id)) ?? rows[0];
  return { ...state, current: first?.id ?? null };
}

function moved(state: ReviewState, by: number): ReviewState {
  const rows = shownRows(state);
  const at = rows.findIndex(({ id }) => id === state.current);
  const to = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
  return to ? { ...state, current: to.id } : state;
}

function toggledCover(state: ReviewState): ReviewStep {
  const row = currentRow(state);
  if (!row || state.marks.has(row.id)) return same(state);
  const name = isClearFirst(state, row) ? "covered" : "uncovered";
  const ids = new Set(state[name]);
  if (!ids.delete(row.id)) ids.add(row.id);
  const claims = isCovered(state, row) && row.claim === null;
  return {
    state: { ...state, [name]: ids },
    effects: claims ? [{ type: "set-claim", id: row.id, on: 1 }] : [],
  };
}

function decideCurrent(state: ReviewState, verdict: PictureVerdict): ReviewStep {
  const row = currentRow(state);
  if (!row) return same(state);
  if (pictureClosed(state, row) === "unseen") return { state, effects: [{ type: "tell-unseen" }] };
  return decide(state, pictureClosed(state, row) === null ? [row] : [], verdict);
}

/** Marks the pictures at once, and goes on to the next that waits; an earlier decision is sent now. */
function decide(state: ReviewState, rows: readonly PictureRow[], verdict: PictureVerdict): ReviewStep {
  if (rows.length === 0) return same(state);
  const marks = new Map(state.marks);
  for (const { id } of rows) marks.set(id, verdict);
  const earlier: readonly ReviewEffect[] = state.pending
    ? [{ type: "send", pending: state.pending, isLeaving: false }]
    : [];
  const next = {
    ...state,
    marks,
    pending: { rows, verdict, isHeld: false },
    waiting: Math.max(0, state.waiting - rows.length),
  };
  const current = nextWaiting(next);
  const more: readonly ReviewEffect[] =
    current === null && state.next !== null ? [{ type: "load", cursor: state.next }] : [];
  return {
    state: { ...next, current: current ?? state.current },
    effects: [...earlier, { type: "start-timer", delayMs: undoMs }, ...more],
  };
}

function nextWaiting(state: ReviewState): string | null {
  const rows = shownRows(state);
  const at = rows.findIndex(({ id }) => id === state.current);
  const waits = (row: PictureRow) => !state.marks.has(row.id) && (row.claim === null || row.claim.mine);
  return (rows.slice(at).find(waits) ?? rows.find(waits))?.id ?? null;
}

function undone(state: ReviewState): ReviewStep {
  const { pending } = state;
  if (!pending) return same(state);
  const back = withoutMarks(
    { ...state, pending: null },
    pending.rows.map(({ id }) => id),
  );
  return { state: { ...back, current: pending.rows[0]?.id ?? state.current }, effects: [{ type: "stop-timer" }] };
}

function withoutMarks(state: ReviewState, ids: readonly string[]): ReviewState {
  const marks = new Map(state.marks);
  for (const id of ids) marks.delete(id);
  return { ...state, marks, waiting: state.waiting + ids.length };
}

function flushed(state: ReviewState, isLeaving: boolean): ReviewStep {
  const { pending } = state;
  if (!pending) return same(state);
  if (!state.isOnline && !isLeaving) return same({ ...state, pending: { ...pending, isHeld: true } });
  return {
    state: { ...state, pending: null },
    effects: [{ type: "stop-timer" }, { type: "send", pending, isLeaving }],
  };
}
