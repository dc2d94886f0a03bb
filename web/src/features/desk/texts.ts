import { useState } from "react";
import { adminTextList, adminTextOperate, type TextQuestion } from "@fava/wire/endpoints/text-questions.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { useEndpointPages } from "#lib/query.ts";
import { useReachability } from "#lib/socket/connection.ts";
import { showToast } from "#ui/toast-store.ts";
import { unclaimedBeside, isClaimOld, rowBeside } from "./cases.ts";
import { type Decision, requestOf, useDecisions } from "./decisions.ts";
import { requestOptions, changeRow, useClaims, useFailureToast, waitingRows } from "./desk-query.ts";

/** 1 accepts the text or ends the mute; 2 keeps the rejection or the mute. */
export type TextVerdict = 1 | 2;

interface TextDecision extends Decision {
  readonly row: TextQuestion;
}

const pagesOptions = { keyOf: ({ id }: TextQuestion) => id, refetchOnReconnect: true, requestOptions };

/** Why the open question cannot be answered now; null: it can. */
function textClosed(row: TextQuestion | null, isOnline: boolean): "not-open" | "claimed" | "offline" | null {
  if (!row) return "not-open";
  if (row.claim && !row.claim.mine) return "claimed";
  return isOnline ? null : "offline";
}

/** The result of a verdict, as shown to the moderator. */
function didOf({ place, source }: Pick<TextQuestion, "place" | "source">, verdict: TextVerdict) {
  if (place === "mute") return verdict === 1 ? "mute_ended" : "mute_kept";
  if (source === "provider") return verdict === 1 ? "name_kept" : "name_replaced";
  return verdict === 1 ? "text_accepted" : "text_refused";
}

export type Texts = ReturnType<typeof useTexts>;

/** The questions about texts and mutes, the open one, its claim, and the answer that can still be undone. */
export function useTexts(userId: number) {
  const isOnline = useReachability() === "fine";
  const [openId, setOpenId] = useState<string | null>(null);
  /** Questions that the moderator has opened, other than those that open by themselves after an answer. */
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const list = useEndpointPages(adminTextList, { user_id: userId }, pagesOptions);
  useFailureToast(list.error);
  const { decisions, decided, ...pending } = useDecisions<TextDecision>(() => void list.refetch());
  const { undecided: rows, rows: _all, ...queue } = waitingRows(list, decided);
  const row = rows.find(({ id }) => id === openId) ?? null;
  const closed = textClosed(row, isOnline);
  const claims = useClaims(userId, "text", (id, claim) => changeRow<TextQuestion>(adminTextList, id, { claim }));

  /** Releases the claim of the current question, and claims the next one. */
  const goTo = (to: TextQuestion | null) => {
    if (row) claims.release(row.id, row.claim);
    show(to);
  };
  const show = (to: TextQuestion | null) => {
    setOpenId(to?.id ?? null);
    if (to && !to.claim) claims.claim(to.id);
  };
  const open = (to: TextQuestion) => {
    setSeen((before) => new Set([...before, to.id]));
    if (to.id !== openId) goTo(to);
  };

  return {
    ...queue,
    ...pending,
    rows,
    row,
    closed,
    isLoading: list.isPending,
    isFailed: list.isError,
    refresh: () => void list.refetch(),
    more: () => void list.fetchNextPage(),
    open,
    close: () => goTo(null),
    step: (by: 1 | -1) => {
      const to = rowBeside(rows, openId, by);
      if (to) open(to);
    },
    /** Renews an old claim on the open question; called on key presses. */
    keepClaim: () => row && isClaimOld(row.claim, serverNowMs()) && claims.claim(row.id),
    /** Applies an answer at once, and opens and claims the next question. */
    decide: (verdict: TextVerdict) => {
      if (!row || closed) return;
      if (verdict === 2 && !seen.has(row.id)) {
        setSeen((before) => new Set([...before, row.id]));
        return void showToast({ type: "info", text: t("desk.case.unseen") });
      }
      if (decisions.take(decisionOf(userId, row, verdict))) show(unclaimedBeside(rows, row.id));
    },
    undo: () => {
      const undone = decisions.undo();
      if (undone) open(undone.row);
    },
  };
}

function decisionOf(userId: number, row: TextQuestion, verdict: TextVerdict): TextDecision {
  const did = didOf(row, verdict);
  return {
    row,
    ids: [row.id],
    requests: [requestOf(adminTextOperate, { user_id: userId, id: row.id, operation: verdict })],
    text: t(`asked.did.${did}`, { name: isolate(row.person.nickname) }),
    hint: t(did === "name_kept" ? "desk.undo.then" : "desk.undo.reads"),
  };
}
