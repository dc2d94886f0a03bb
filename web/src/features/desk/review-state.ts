import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { adminAvatarList } from "@fava/wire/endpoints/moderation.ts";
import type { pictureReasonIds } from "@fava/wire/moderation.ts";

export type PicturePage = OutputOf<typeof adminAvatarList>;
export type PictureRow = PicturePage["rows"][number];
export type PictureReason = (typeof pictureReasonIds)[number];
export type PictureFilter = "all" | "unsure" | "reported" | "random";
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
export function isClearFirst({ isBlurred }: ReviewState, { why, explicit }: PictureRow): boolean {
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
