import type { BanHours, CaseDetail, CaseRow } from "@fava/wire/moderation.ts";
import type { banReasonIds } from "@fava/wire/reasons.ts";

export type Box = "reports" | "restricted";
export type Order = "harm" | "oldest" | "mine";
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

export interface QueuePage {
  readonly rows: readonly CaseRow[];
  readonly next: string | null;
  readonly waiting: number;
  readonly oldest_at: number | null;
}

/** So many decided cases are remembered. */
export const decidedMax = 200;

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
export function followingRow({ queue, open }: CasesState): CaseRow | null {
  const at = queue.rows.findIndex(({ id }) => id === open?.id);
  return queue.rows.slice(at + 1).find(isFree) ?? null;
}

export function isFree({ claim }: CaseRow): boolean {
  return claim === null || claim.mine;
}
