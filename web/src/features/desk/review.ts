import { useState } from "react";
import type { InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import {
  adminAvatarList,
  adminAvatarOperate,
  adminImageList,
  adminImageOperate,
} from "@fava/wire/endpoints/moderation.ts";
import type { pictureReasonIds } from "@fava/wire/moderation.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { useEndpointPages } from "#lib/query.ts";
import { useReachability } from "#lib/socket/connection.ts";
import { showToast } from "#ui/toast-store.ts";
import { type Decision, requestOf, useDecisions } from "./decisions.ts";
import { useDeskSwitches } from "./desk-info.ts";
import { requestOptions, changeRow, useClaims, useFailureToast, waitingRows } from "./desk-query.ts";

export type PictureKind = "avatars" | "photos";
export type PictureRow = OutputOf<typeof adminAvatarList>["rows"][number];
export type PictureReason = (typeof pictureReasonIds)[number];
export type PictureVerdict = { readonly operation: 1 } | { readonly operation: 2; readonly reasonId: PictureReason };
export const pictureFilters = ["all", "unsure", "reported", "random"] as const;
export type PictureFilter = (typeof pictureFilters)[number];

/** One image, or the random checks of a page together. */
interface PictureDecision extends Decision {
  readonly rows: readonly PictureRow[];
  readonly verdict: PictureVerdict;
}

const endpoints = {
  avatars: { list: adminAvatarList, operate: adminAvatarOperate },
  photos: { list: adminImageList, operate: adminImageOperate },
} as const;

/** Whether an image matches a filter; "unsure" covers every finding of the models. */
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

/** What a moderator has done with images, by their ids. */
export interface ReviewState {
  /** Whether the moderator wants images covered at first; `isCovered` names the exceptions. */
  readonly isBlurred: boolean;
  /** By image id, whether the moderator has covered (true) or uncovered (false) it. */
  readonly byHand: ReadonlyMap<string, boolean>;
  /** Images that were uncovered and in full view; only these can be decided. */
  readonly seen: ReadonlySet<string>;
  readonly decided: ReadonlyMap<string, unknown>;
  readonly isOnline: boolean;
}

/**
 * Whether an image is covered. Clear from the start are random checks, new images that the models judged without a
 * finding, and all images if the moderator has turned the covers off.
 */
export function isCovered({ isBlurred, byHand }: Pick<ReviewState, "isBlurred" | "byHand">, row: PictureRow): boolean {
  const isClean = row.why === "random" || (row.why === "new" && row.explicit !== null);
  return byHand.get(row.id) ?? (isBlurred && !isClean);
}

/** Why an image cannot be decided now; null: it can. */
export function pictureClosed(state: ReviewState, row: PictureRow): "marked" | "claimed" | "unseen" | "offline" | null {
  if (state.decided.has(row.id)) return "marked";
  if (row.claim && !row.claim.mine) return "claimed";
  if (!state.isOnline) return "offline";
  return state.seen.has(row.id) ? null : "unseen";
}

/** Random checks that were in full view: only these may be approved together. */
export function approvableTogether(state: ReviewState, shown: readonly PictureRow[]): readonly PictureRow[] {
  return shown.filter((row) => row.why === "random" && pictureClosed(state, row) === null);
}

/** The next image from `at` on that waits for this moderator, otherwise the first; null without any. */
export function nextWaiting(
  shown: readonly PictureRow[],
  at: number,
  decided: ReadonlyMap<string, unknown>,
): PictureRow | null {
  const waits = ({ id, claim }: PictureRow) => !decided.has(id) && (claim === null || claim.mine);
  return shown.slice(Math.max(0, at)).find(waits) ?? shown.find(waits) ?? null;
}

/** The image `by` places further; stops at both ends. */
export function pictureMovedBy(shown: readonly PictureRow[], at: number, by: number): PictureRow | null {
  return shown[Math.min(shown.length - 1, Math.max(0, at + by))] ?? null;
}

const pagesOptions = { keyOf: ({ id }: PictureRow) => id, refetchOnReconnect: true, requestOptions };

export type Review = ReturnType<typeof useReview>;

/** The waiting images, the current one, and the decision that can still be undone. */
export function useReview(userId: number, kind: PictureKind) {
  const isOnline = useReachability() === "fine";
  const { blur } = useDeskSwitches();
  const [filter, setFilter] = useState<PictureFilter>("all");
  const [mode, setMode] = useState<"grid" | "one">("grid");
  const [chosenId, go] = useState<string | null>(null);
  const [byHand, setByHand] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const endpoint = endpoints[kind];
  const list = useEndpointPages(endpoint.list, { user_id: userId }, pagesOptions);
  useFailureToast(list.error);
  const { decisions, decided, pending, isHeld } = useDecisions<PictureDecision>(() => void list.refetch());
  const { rows: arrived, ...queue } = waitingRows(list, decided);
  // Images that were decided here stay, marked, when the server no longer lists them.
  const known = new Set(arrived.map(({ id }) => id));
  const gone = [...new Set(decided.values())].flatMap((one) => one.rows).filter(({ id }) => !known.has(id));
  const rows = [...gone, ...arrived];
  const shown = rows.filter((row) => belongsTo(filter, row));
  const chosen = shown.find(({ id }) => id === chosenId);
  // There is always a current image: the first waiting one if the last one is gone.
  const current = chosen ?? shown.find(({ id }) => !decided.has(id)) ?? shown[0] ?? null;
  const at = current ? shown.indexOf(current) : -1;
  const state: ReviewState = { isBlurred: blur, byHand, seen, decided, isOnline };

  const claims = useClaims(userId, "image", (id, claim) => changeRow<PictureRow>(endpoint.list, id, { claim }));
  const decideAll = (about: readonly PictureRow[], verdict: PictureVerdict) => {
    const decision = decisionOf({ userId, kind, rows: about, verdict });
    if (about.length === 0 || !decisions.take(decision)) return;
    const next = nextWaiting(shown, at, decisions.store.getState().decided);
    if (next) return go(next.id);
    go(current?.id ?? null);
    if (list.hasNextPage) void list.fetchNextPage();
  };

  return {
    ...queue,
    rows,
    shown,
    isLoading: list.isPending,
    isFailed: list.isError,
    filter,
    mode,
    current,
    decided,
    pending,
    isHeld,
    isCovered: (row: PictureRow) => isCovered(state, row),
    closedBecause: (row: PictureRow) => pictureClosed(state, row),
    together: approvableTogether(state, shown),
    refresh: () => void list.refetch(),
    more: () => void list.fetchNextPage(),
    setFilter,
    setMode,
    go,
    move: (by: number) => go(pictureMovedBy(shown, at, by)?.id ?? null),
    toggleCover: (row = current) => {
      if (!row || decided.has(row.id)) return;
      const covered = isCovered(state, row);
      setByHand(new Map(byHand).set(row.id, !covered));
      if (covered && row.claim === null) claims.claim(row.id);
    },
    /** Call it once an uncovered image was in full view. */
    see: (id: string) => setSeen((before) => (before.has(id) ? before : new Set([...before, id]))),
    decide: (verdict: PictureVerdict) => {
      const closed = current && pictureClosed(state, current);
      if (closed === "unseen") showToast({ type: "info", text: t("desk.review.unseen") });
      else if (current && closed === null) decideAll([current], verdict);
    },
    approveTogether: () => decideAll(approvableTogether(state, shown), { operation: 1 }),
    undo: () => {
      const undone = decisions.undo();
      if (undone) go(undone.ids[0] ?? null);
    },
  };
}

function decisionOf(about: {
  userId: number;
  kind: PictureKind;
  rows: readonly PictureRow[];
  verdict: PictureVerdict;
}): PictureDecision {
  const { userId, kind, rows, verdict } = about;
  const input = (id: string): InputOf<typeof adminAvatarOperate> => ({
    user_id: userId,
    id,
    operation: verdict.operation,
    ...(verdict.operation === 2 && { reason_id: verdict.reasonId }),
  });
  const name = isolate(rows[0]?.nickname ?? "");
  const one = verdict.operation === 1 ? "desk.review.didApprove" : "desk.review.didReject";
  return {
    rows,
    verdict,
    ids: rows.map(({ id }) => id),
    requests: rows.map(({ id }) => requestOf(endpoints[kind].operate, input(id))),
    text: rows.length > 1 ? t("desk.review.didMany", { count: rows.length }) : t(one, { name }),
  };
}
