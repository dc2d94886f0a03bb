import { useEffect, useState } from "react";
import type { InputOf } from "@fava/wire/endpoint.ts";
import { adminAgeAsk } from "@fava/wire/endpoints/age.ts";
import { adminCase, adminReportList, adminReportOperate } from "@fava/wire/endpoints/desk.ts";
import { claimMs } from "@fava/wire/limits.ts";
import type { BanHours, CaseDetail, CaseRow, Claim, DeskPerson } from "@fava/wire/moderation.ts";
import type { banReasonIds } from "@fava/wire/reasons.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { isolate } from "#lib/format.ts";
import { type Translate, t } from "#lib/i18n.ts";
import { endpointQuery, queryClient, useEndpointPages, useEndpointQuery } from "#lib/query.ts";
import { useReachability } from "#lib/socket/connection.ts";
import { showToast } from "#ui/toast-store.ts";
import { type Decision, type DeskRequest, requestOf, useDecisions } from "./decisions.ts";
import { banLength } from "./desk-format.ts";
import { requestOptions, changeRow, useClaims, useFailureToast, waitingRows } from "./desk-query.ts";

/** The queue of all moderators, or that of administrators. */
export type CaseQueue = "reports" | "restricted";
export type CaseOrder = "harm" | "oldest" | "mine";
export type BanReasonId = (typeof banReasonIds)[number];

/** A decision on a case. */
export type Verdict =
  | { readonly operation: 1 | 2 | 3 }
  /** Asks for an age check; the case leaves the queue for 14 days. */
  | { readonly operation: "ask_age" }
  | { readonly operation: 4; readonly hours: BanHours; readonly reasonId: BanReasonId; readonly note: string };

/** A verdict that closes the case. */
type Decided = Exclude<Verdict, { operation: "ask_age" }>;

interface CaseDecision extends Decision {
  readonly row: CaseRow;
}

/** Why the open case cannot be decided now. */
export type Closed =
  | { readonly because: "not-open" | "offline" | "second" }
  | { readonly because: "lost"; readonly to: string }
  | { readonly because: NonNullable<CaseDetail["closed_because"]> };

/** Why a case cannot be decided here and now; null: it can. */
export function closedBecause(detail: CaseDetail | null, isOnline: boolean): Closed | null {
  if (!detail) return { because: "not-open" };
  if (detail.claim && !detail.claim.mine) return { because: "lost", to: detail.claim.name };
  if (detail.closed_because !== null && detail.closed_because !== "claimed") return { because: detail.closed_because };
  if (detail.state === "second") return { because: "second" };
  return isOnline ? null : { because: "offline" };
}

/** A row of a queue whose items are claimed. */
type Claimed = Pick<CaseRow, "id" | "claim">;

/** Whether no other moderator works on it. */
function isFree({ claim }: Claimed): boolean {
  return claim === null || claim.mine;
}

/** The next row after the open one that no other moderator works on; from the top if none is open; null without any. */
export function nextUnclaimed<Row extends Claimed>(rows: readonly Row[], openId: string | null): Row | null {
  const at = rows.findIndex(({ id }) => id === openId);
  return rows.slice(at + 1).find(isFree) ?? null;
}

/** The case that follows a decided one: the next free case, otherwise the first free one. */
export function unclaimedBeside<Row extends Claimed>(rows: readonly Row[], id: string | null): Row | null {
  return nextUnclaimed(rows, id) ?? rows.find((row) => row.id !== id && isFree(row)) ?? null;
}

/** The row before or after the open one, the first one if none is open; null beyond both ends. */
export function rowBeside<Row extends Claimed>(rows: readonly Row[], openId: string | null, by: 1 | -1): Row | null {
  const at = rows.findIndex(({ id }) => id === openId);
  return (at < 0 ? rows[0] : rows[at + by]) ?? null;
}

/** The case to prefetch; none of the restricted queue, where the server logs each view. */
export function caseToPrefetch(box: CaseQueue, rows: readonly CaseRow[], openId: string | null): string | null {
  return box === "restricted" ? null : (nextUnclaimed(rows, openId)?.id ?? null);
}

/** Age at which a claim is renewed. */
const claimRenewMs = 60_000;

/** Whether the next key press should renew the claim, so that a working moderator keeps it. */
export function isClaimOld(claim: Claim | null, nowMs: number): boolean {
  return claim?.mine === true && claim.until - nowMs <= claimMs - claimRenewMs;
}

/** The detail of a case with the own claim of its row, if the claim was confirmed after the detail was loaded. */
export function withOwnClaim(detail: CaseDetail, row: CaseRow | undefined): CaseDetail {
  return { ...detail, claim: detail.claim ?? (row?.claim?.mine ? row.claim : null) };
}

/**
 * Whether a verdict that a single key gives must be confirmed, before the moderator has seen evidence: it affects the
 * reporter or the person.
 */
function isAskedFirst({ operation }: Verdict): boolean {
  return operation === 2 || operation === 3;
}

/** The request input of a verdict. */
export function operateInput(userId: number, id: string, verdict: Decided): InputOf<typeof adminReportOperate> {
  const about = { user_id: userId, id };
  if (verdict.operation !== 4) return { ...about, operation: verdict.operation };
  const { hours, reasonId, note } = verdict;
  return { ...about, operation: 4, hours, reason_id: reasonId, note };
}

function decidedText(translate: Translate, row: CaseRow, verdict: Verdict): string {
  const name = isolate(row.person.nickname);
  switch (verdict.operation) {
    case "ask_age":
      return translate("desk.did.askAge", { name });
    case 1:
      return translate("desk.did.1", { name });
    case 2:
      return translate("desk.did.2", { name });
    case 3:
      return translate("desk.did.3", { name, reason: translate(`reason.report.${row.reason_id}`) });
    case 4:
      return verdict.hours === 0
        ? translate("desk.did.second", { name })
        : translate("desk.did.4", { name, length: banLength(translate, verdict.hours) });
  }
}

const pagesOptions = { keyOf: ({ id }: CaseRow) => id, refetchOnReconnect: true, requestOptions };

export type Cases = ReturnType<typeof useCases>;

/** The queue of cases, the open one, its claim and the decision that can still be undone. */
export function useCases(userId: number) {
  const isOnline = useReachability() === "fine";
  const [openId, open] = useState<string | null>(null);
  /** Cases about which the moderator has seen evidence, or has been asked for a second press. */
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const markSeen = (id: string) => setSeen((before) => (before.has(id) ? before : new Set([...before, id])));
  const { known, decisions, ...queue } = useQueue(userId);
  const { box, rows, pending } = queue;
  const row = known.find(({ id }) => id === openId);
  const { opened, change } = useCase(userId, openId, caseToPrefetch(box, rows, openId));
  const detail = opened.data ? withOwnClaim(opened.data, row) : null;
  const claim = detail?.claim ?? null;
  const closed = closedBecause(detail, isOnline);
  const claims = useCaseClaim({ userId, openId, claim }, (id, now) => {
    changeRow<CaseRow>(adminReportList, id, { claim: now });
    change(id, { claim: now });
    if (!now || now.mine || !pending?.ids.includes(id)) return;
    // Another moderator was faster: cancel the decision before it is sent.
    decisions.undo();
    const values = { person: isolate(pending.row.person.nickname), by: isolate(now.name) };
    showToast({ type: "warning", text: t("desk.taken", values) });
  });

  return {
    ...queue,
    openId,
    /** The open case; null until it is loaded. */
    detail,
    hasDetailFailed: opened.isError,
    closed,
    filter: (to: { box: CaseQueue; order: CaseOrder }) => {
      if (to.box !== box) open(null);
      queue.setFilter(to);
    },
    open,
    reopen: () => void opened.refetch(),
    close: () => open(null),
    step: (by: 1 | -1) => open(rowBeside(rows, openId, by)?.id ?? openId),
    claim: () => {
      if (openId === null) return;
      markSeen(openId);
      claims.claim(openId);
    },
    /** Call it when the moderator uncovers evidence of the open case. */
    markSeen: () => openId !== null && markSeen(openId),
    /** Renews an old claim on the open case; called on key presses. */
    keepClaim: () => openId !== null && isClaimOld(claim, serverNowMs()) && claims.claim(openId),
    /** Releases the case and opens the next one. */
    skip: () => {
      if (openId === null) return;
      claims.release(openId, claim);
      open(unclaimedBeside(rows, openId)?.id ?? null);
    },
    /** Applies a decision at once, and opens and claims the next case. */
    decide: (verdict: Verdict) => {
      if (!detail || closed) return;
      if (verdict.operation === "ask_age" && !detail.may_ask_age) return;
      if (isAskedFirst(verdict) && !seen.has(detail.id)) {
        markSeen(detail.id);
        return void showToast({ type: "info", text: t("desk.case.unseen") });
      }
      if (!decisions.take(decisionOf(userId, row ?? detail, verdict))) return;
      if (!claim?.mine) claims.claim(detail.id);
      const next = unclaimedBeside(rows, detail.id);
      open(next?.id ?? null);
      if (next) claims.claim(next.id);
    },
    undo: () => {
      const undone = decisions.undo();
      if (undone) open(undone.row.id);
    },
    /** Replaces the person of the open case after a tool has changed them. */
    setSubject: (subject: DeskPerson) => {
      if (detail?.subject.user_id === subject.user_id) change(detail.id, { subject });
    },
  };
}

/** The waiting cases in the chosen queue and order, and the decisions on them. */
function useQueue(userId: number) {
  const [{ box, order }, setFilter] = useState<{ box: CaseQueue; order: CaseOrder }>({ box: "reports", order: "harm" });
  const list = useEndpointPages(adminReportList, { user_id: userId, box, order }, pagesOptions);
  useFailureToast(list.error);
  const { decisions, decided, ...pending } = useDecisions<CaseDecision>(() => void list.refetch());
  const { rows: known, undecided: rows, ...queue } = waitingRows(list, decided);
  return {
    ...queue,
    ...pending,
    decisions,
    box,
    order,
    setFilter,
    /** All loaded rows, including those that were decided on this page. */
    known,
    rows,
    isLoading: list.isPending,
    isFailed: list.isError,
    refresh: () => void list.refetch(),
    more: () => void list.fetchNextPage(),
  };
}

/** The open case, and the prefetched one. */
function useCase(userId: number, openId: string | null, aheadId: string | null) {
  const about = (id: string | null) => (id === null ? null : { user_id: userId, id });
  const opened = useEndpointQuery(adminCase, about(openId), { requestOptions });
  const ahead = useEndpointQuery(adminCase, about(aheadId));
  useFailureToast(opened.error);
  useFailureToast(ahead.error);
  return {
    opened,
    change: (id: string, by: Partial<CaseDetail>) =>
      queryClient.setQueryData(
        endpointQuery(adminCase, about(id)).queryKey,
        (before) => before && { ...before, ...by },
      ),
  };
}

/** Claims cases; `hear` receives the current claim, and null when the claim on the open case expires. */
function useCaseClaim(
  { userId, openId, claim }: { userId: number; openId: string | null; claim: Claim | null },
  hear: (id: string, claim: Claim | null) => void,
) {
  useEffect(() => {
    if (openId === null || !claim) return undefined;
    const timer = setTimeout(() => hear(openId, null), claim.until - serverNowMs());
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a claim runs out once
  }, [openId, claim?.until]);
  return useClaims(userId, "case", hear);
}

function requestOfVerdict(userId: number, id: string, verdict: Verdict): DeskRequest {
  if (verdict.operation === "ask_age") return requestOf(adminAgeAsk, { user_id: userId, id });
  return requestOf(adminReportOperate, operateInput(userId, id, verdict));
}

function decisionOf(userId: number, row: CaseRow, verdict: Verdict): CaseDecision {
  const isRead = verdict.operation === 3 || verdict.operation === 4;
  return {
    row,
    ids: [row.id],
    requests: [requestOfVerdict(userId, row.id, verdict)],
    text: decidedText(t, row, verdict),
    hint: t(isRead ? "desk.undo.reads" : "desk.undo.then"),
  };
}
