import { useEffect, useState } from "react";
import {
  adminNotice,
  adminNoticeList,
  adminNoticeOperate,
  type NoticeDetail,
  type NoticeRow,
} from "@fava/wire/endpoints/notices.ts";
import type { NoticeOperation } from "@fava/wire/notices.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { endpointQuery, queryClient, useEndpointQuery } from "#lib/query.ts";
import { useReachability } from "#lib/socket/connection.ts";
import { type Decision, requestOf, useDecisions } from "./decisions.ts";
import { requestOptions, useClaims, useFailureToast } from "./desk-query.ts";

export interface NoticeVerdict {
  readonly operation: NoticeOperation;
  /** Ids of the pictures to remove; only with operation 1. */
  readonly pictures: readonly string[];
  /** Reasons or question, for the sender. */
  readonly text: string;
}

interface NoticeDecision extends Decision {
  readonly row: NoticeRow;
  readonly verdict: NoticeVerdict;
}

/** Why the reader cannot decide the open notice; null: they can. */
function noticeClosed(row: NoticeRow | null, detail: NoticeDetail | undefined, isOnline: boolean) {
  if (!row || !detail) return "not-open" as const;
  if (row.claim?.mine === false) return "claimed" as const;
  if (detail.closed_because === "decided") return "decided" as const;
  return isOnline ? null : ("offline" as const);
}

export type Notices = ReturnType<typeof useNotices>;

/** Open notices: the list, the open one, its claim, and the decision that can still be undone. */
export function useNotices(userId: number) {
  const isOnline = useReachability() === "fine";
  const user = { user_id: userId };
  const [row, setRow] = useState<NoticeRow | null>(null);
  const [undone, setUndone] = useState<NoticeDecision | null>(null);
  const list = useEndpointQuery(adminNoticeList, user, { requestOptions, refetchOnReconnect: true });
  const { decisions, decided, pending, isHeld } = useDecisions<NoticeDecision>(() => void list.refetch());
  const rows = (list.data?.rows ?? []).filter(({ id }) => !decided.has(id));
  const detail = useEndpointQuery(adminNotice, row && { ...user, id: row.id }, { requestOptions });
  useFailureToast(list.error);
  useFailureToast(detail.error);
  const closed = noticeClosed(row, detail.data, isOnline);

  const claims = useClaims(userId, "notice", (id, claim) => {
    const changed = (one: NoticeRow) => (one.id === id ? { ...one, claim } : one);
    setRow((before) => before && changed(before));
    queryClient.setQueryData(
      endpointQuery(adminNoticeList, user).queryKey,
      (before) => before && { ...before, rows: before.rows.map(changed) },
    );
  });
  useEffect(() => {
    // Opening an item claims it.
    if (row && closed === null && row.claim === null) claims.claim(row.id);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it has arrived
  }, [detail.data]);

  /** Leaving an undecided item releases its claim. */
  const goTo = (to: NoticeRow | null, takenBack: NoticeDecision | null = null) => {
    if (row) claims.release(row.id, row.claim);
    setUndone(takenBack);
    setRow(to);
  };

  return {
    rows,
    row,
    /** The open notice, once it is loaded. */
    detail: detail.data ?? null,
    /** The decision that was undone, to continue writing; null: none for the open notice. */
    written: row !== null && undone?.row.id === row.id ? undone.verdict : null,
    closed,
    pending,
    isHeld,
    isLoading: list.isPending,
    isFailed: list.isError,
    hasDetailFailed: detail.isError,
    refresh: () => void list.refetch(),
    reopen: () => void detail.refetch(),
    open: (to: NoticeRow) => {
      if (row?.id !== to.id) goTo(to);
    },
    close: () => goTo(null),
    step: (by: 1 | -1) => {
      const at = rows.findIndex(({ id }) => id === row?.id);
      const to = at < 0 ? rows[0] : rows[at + by];
      if (to) goTo(to);
    },
    decide: (verdict: NoticeVerdict) => {
      if (closed !== null || !row) return;
      if (decisions.take(decisionOf(userId, row, verdict))) setRow(null);
    },
    undo: () => {
      const decision = decisions.undo();
      if (decision) goTo(decision.row, decision);
    },
  };
}

function decisionOf(userId: number, row: NoticeRow, verdict: NoticeVerdict): NoticeDecision {
  const { operation, pictures, text } = verdict;
  const input = { user_id: userId, id: row.id, operation, pictures: pictures.join(","), text };
  return {
    row,
    verdict,
    ids: [row.id],
    requests: [requestOf(adminNoticeOperate, input)],
    text: t(`desk.notice.did.${operation}`, { no: isolate(row.no) }),
    hint: t("desk.undo.then"),
  };
}
