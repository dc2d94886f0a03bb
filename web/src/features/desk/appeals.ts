import { useEffect, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminAppeal, adminAppealList, adminAppealOperate, type AppealRow } from "@fava/wire/endpoints/appeals.ts";
import { adminCase, adminSecondOperate } from "@fava/wire/endpoints/desk.ts";
import type { CaseDetail } from "@fava/wire/moderation.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { endpointQuery, queryClient, useEndpointQuery } from "#lib/query.ts";
import { useReachability } from "#lib/socket/connection.ts";
import { type Decision, type DeskRequest, requestOf, useDecisions } from "./decisions.ts";
import { requestOptions, useClaims, useFailureToast } from "./desk-query.ts";

export type AppealDetail = OutputOf<typeof adminAppeal>;
export const shortenedHours = [1, 24, 168, 720] as const;

/** The second moderator's decision on a permanent ban, or the decision on an appeal. */
export type AppealVerdict =
  | { readonly kind: "second"; readonly operation: 1 | 2 | 4 }
  | { readonly kind: "appeal"; readonly outcome: "upheld" | "lifted"; readonly answer: string }
  | {
      readonly kind: "appeal";
      readonly outcome: "shortened";
      readonly hours: (typeof shortenedHours)[number];
      readonly answer: string;
    };

interface AppealDecision extends Decision {
  readonly row: AppealRow;
  readonly verdict: AppealVerdict;
}

/** Second opinions and appeals have separate ids. */
export function keyOf({ kind, id }: Pick<AppealRow, "kind" | "id">): string {
  return `${kind} ${id}`;
}

/** Why the reader cannot decide the open item; null: they can. */
export function appealClosed(
  row: AppealRow | null,
  detail: Pick<CaseDetail | AppealDetail, "closed_because"> | null,
  isOnline: boolean,
) {
  if (!row || !detail) return "not-open" as const;
  if (row.is_own) return "first_decider" as const;
  if (row.claim && !row.claim.mine) return "claimed" as const;
  const because = detail.closed_because;
  if (because !== null && because !== "claimed") return because;
  return isOnline ? null : ("offline" as const);
}

/** The request for a verdict. */
function requestFor(userId: number, id: string, verdict: AppealVerdict): DeskRequest {
  const about = { user_id: userId, id };
  if (verdict.kind === "second") return requestOf(adminSecondOperate, { ...about, operation: verdict.operation });
  const { outcome, answer } = verdict;
  const hours = verdict.outcome === "shortened" && { hours: verdict.hours };
  return requestOf(adminAppealOperate, { ...about, outcome, answer, ...hours });
}

export type Appeals = ReturnType<typeof useAppeals>;

/** Second opinions and appeals: the open item, and the decision that can still be undone. */
export function useAppeals(userId: number) {
  const isOnline = useReachability() === "fine";
  const user = { user_id: userId };
  const [row, setRow] = useState<AppealRow | null>(null);
  const [undone, setUndone] = useState<AppealDecision | null>(null);
  const list = useEndpointQuery(adminAppealList, user, { requestOptions, refetchOnReconnect: true });
  const { decisions, decided, pending, isHeld } = useDecisions<AppealDecision>(() => void list.refetch());
  const waiting = (rows: readonly AppealRow[] = []) => rows.filter((one) => !decided.has(keyOf(one)));
  const [seconds, appeals] = [waiting(list.data?.seconds), waiting(list.data?.appeals)];
  const about = (kind: AppealRow["kind"]) => (row?.kind === kind ? { ...user, id: row.id } : null);
  const second = useEndpointQuery(adminCase, about("second"), { requestOptions });
  const appeal = useEndpointQuery(adminAppeal, about("appeal"), { requestOptions });
  useFailureToast(list.error);
  useFailureToast(second.error ?? appeal.error);
  const closed = appealClosed(row, second.data ?? appeal.data ?? null, isOnline);

  const claims = {
    second: useClaims(userId, "case", (id, claim) => change({ kind: "second", id, claim })),
    appeal: useClaims(userId, "appeal", (id, claim) => change({ kind: "appeal", id, claim })),
  };
  const change = (by: Pick<AppealRow, "kind" | "id" | "claim">) => {
    const changed = (one: AppealRow) => (keyOf(one) === keyOf(by) ? { ...one, ...by } : one);
    setRow((before) => before && changed(before));
    queryClient.setQueryData(
      endpointQuery(adminAppealList, user).queryKey,
      (before) => before && { seconds: before.seconds.map(changed), appeals: before.appeals.map(changed) },
    );
  };
  useEffect(() => {
    // Opening an item claims it, if the reader may decide it.
    if (row && closed === null && row.claim === null) claims[row.kind].claim(row.id);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it has arrived
  }, [second.data, appeal.data]);

  /** Leaving an undecided item releases its claim. */
  const goTo = (to: AppealRow | null, takenBack: AppealDecision | null = null) => {
    if (row) claims[row.kind].release(row.id, row.claim);
    setUndone(takenBack);
    setRow(to);
  };

  return {
    seconds,
    appeals,
    isLoading: list.isPending,
    isFailed: list.isError,
    /** The open item, and its detail once it is loaded. */
    row,
    /** The answer that was undone, to continue writing; null: none for the open item. */
    written: row && writtenAbout(row, undone),
    second: second.data ?? null,
    appeal: appeal.data ?? null,
    hasDetailFailed: second.isError || appeal.isError,
    closed,
    pending,
    isHeld,
    refresh: () => void list.refetch(),
    reopen: () => void (row?.kind === "second" ? second : appeal).refetch(),
    open: (to: AppealRow) => {
      if (!row || keyOf(row) !== keyOf(to)) goTo(to);
    },
    close: () => goTo(null),
    step: (by: 1 | -1) => {
      const rows = [...seconds, ...appeals];
      const at = rows.findIndex((one) => row !== null && keyOf(one) === keyOf(row));
      const to = at < 0 ? rows[0] : rows[at + by];
      if (to) goTo(to);
    },
    decide: (verdict: AppealVerdict) => {
      if (closed !== null || !row || row.kind !== verdict.kind) return;
      if (decisions.take(decisionOf(userId, row, verdict))) setRow(null);
    },
    undo: () => {
      const decision = decisions.undo();
      if (decision) goTo(decision.row, decision);
    },
  };
}

function writtenAbout(row: AppealRow, undone: AppealDecision | null) {
  if (!undone || keyOf(undone.row) !== keyOf(row)) return null;
  return undone.verdict.kind === "appeal" ? undone.verdict : null;
}

function decisionOf(userId: number, row: AppealRow, verdict: AppealVerdict): AppealDecision {
  const name = isolate(row.person.nickname);
  return {
    row,
    verdict,
    ids: [keyOf(row)],
    requests: [requestFor(userId, row.id, verdict)],
    text:
      verdict.kind === "appeal"
        ? t(`desk.appeal.did.${verdict.outcome}`, { name })
        : t(`desk.second.did.${verdict.operation}`, { name }),
    hint: t("desk.undo.reads"),
  };
}
