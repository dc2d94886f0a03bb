import type { Conversation } from "@fava/wire/messages.ts";
import { byLastMessage, isAsNew } from "./message-order.ts";
import type { Box, BoxName, BoxPage, MessagesState } from "./messages-state.ts";

const boxNames: readonly BoxName[] = ["conversations", "requests"];

/** Where a conversation is listed. */
function boxOf({ state }: Conversation): BoxName {
  return state === "request_in" ? "requests" : "conversations";
}

export function withBox(state: MessagesState, name: BoxName, change: Partial<Box>): MessagesState {
  return { ...state, boxes: { ...state.boxes, [name]: { ...state.boxes[name], ...change } } };
}

/** Takes over a conversation wherever it is shown, unless what is known of it is newer. */
export function withConversation(state: MessagesState, arrived: Conversation): MessagesState {
  const { externalId } = arrived;
  const known = conversationWith(state, externalId);
  if (known && !isAsNew(arrived, known)) return state;
  const boxes = { ...state.boxes };
  for (const name of boxNames) {
    const box = boxes[name];
    const others = box.rows.filter((row) => row.externalId !== externalId);
    const rows = name === boxOf(arrived) ? [arrived, ...others].toSorted(byLastMessage) : others;
    boxes[name] = { ...box, rows, isOutdated: box.isOutdated || box.load === "first" };
  }
  const thread = state.thread?.externalId === externalId ? { ...state.thread, conversation: arrived } : state.thread;
  return { ...state, boxes, thread };
}

/** Changes what is known of a conversation; nothing happens when it is not known. */
export function changeConversation(
  state: MessagesState,
  externalId: string,
  change: (known: Conversation) => Conversation,
): MessagesState {
  const known = conversationWith(state, externalId);
  return known ? withConversation(state, change(known)) : state;
}

/** It is no longer there: neither in a box nor as the open thread. */
export function withoutConversation(state: MessagesState, externalId: string): MessagesState {
  const boxes = { ...state.boxes };
  for (const name of boxNames) {
    const box = boxes[name];
    const rows = box.rows.filter((row) => row.externalId !== externalId);
    boxes[name] = { ...box, rows, isOutdated: box.isOutdated || box.load === "first" };
  }
  return { ...state, boxes, thread: state.thread?.externalId === externalId ? null : state.thread };
}

export function conversationWith({ thread, boxes }: MessagesState, externalId: string): Conversation | null {
  if (thread?.externalId === externalId && thread.conversation) return thread.conversation;
  for (const name of boxNames) {
    const row = boxes[name].rows.find((one) => one.externalId === externalId);
    if (row) return row;
  }
  return null;
}

/** Puts a page into its box: the first replaces the rows that it covers, the others come after. */
export function withPage(box: Box, page: BoxPage, cursor: string | null): Box {
  const fresh = page.conversations.map((row) => {
    const known = box.rows.find(({ externalId }) => externalId === row.externalId);
    return known && !isAsNew(row, known) ? known : row;
  });
  const ids = new Set(fresh.map(({ externalId }) => externalId));
  const others = box.rows.filter((row) => !ids.has(row.externalId));
  if (cursor !== null) {
    return {
      ...box,
      rows: [...others, ...fresh].toSorted(byLastMessage),
      next: page.next,
      load: "none",
      failed: "none",
    };
  }
  const last = fresh.at(-1);
  // A conversation that nothing was written in yet is this page's own: no answer names it.
  const unwritten = others.filter(isUnwritten);
  const later =
    page.next === null || !last ? [] : others.filter((row) => !isUnwritten(row) && byLastMessage(last, row) < 0);
  return {
    rows: [...unwritten, ...fresh, ...later].toSorted(byLastMessage),
    next: later.length > 0 ? box.next : page.next,
    load: "none",
    failed: "none",
    isKnown: true,
    isOutdated: false,
  };
}

export function isUnwritten({ conversationID }: Conversation): boolean {
  return conversationID === "";
}
