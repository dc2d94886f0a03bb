import type { Message } from "@fava/wire/messages.ts";
import { compareIds } from "./message-order.ts";
import { isSameDay } from "./message-time.ts";
import type { Thread, Unsent } from "./messages-state.ts";

/** One line of a thread, from above. `key` stays when an own message becomes a stored one. */
export type ThreadRow =
  | { readonly kind: "day"; readonly key: string; readonly atMs: number }
  | { readonly kind: "met"; readonly key: string; readonly seconds: number }
  | {
      readonly kind: "bubble";
      readonly key: string;
      readonly from: "me" | "other";
      readonly text: string;
      readonly atMs: number;
      /** The last of a run of the same person. */
      readonly isTail: boolean;
      /** Null: stored. */
      readonly unsent: Unsent | null;
    }
  /** What became of the newest own message that is stored. */
  | { readonly kind: "receipt"; readonly key: string; readonly isRead: boolean; readonly atMs: number };

type Bubble = Extract<ThreadRow, { kind: "bubble" }>;

/** Days, calls, messages and the state of the last own one, in the order in which they are read. */
export function threadRows(thread: Thread, unsent: readonly Unsent[]): readonly ThreadRow[] {
  const rows: ThreadRow[] = [];
  let dayMs: number | null = null;
  const add = (row: Exclude<ThreadRow, { kind: "day" }>, atMs: number) => {
    if (dayMs === null || !isSameDay(dayMs, atMs)) rows.push({ kind: "day", key: `day ${row.key}`, atMs });
    dayMs = atMs;
    rows.push(row);
  };
  const receipt = receiptOf(thread);
  for (const message of thread.messages) {
    add(rowOf(message), message.time);
    if (receipt?.message === message) rows.push(receipt.row);
  }
  for (const one of unsent) add(unsentRow(one), one.time);
  return rows.map((row, index) => (row.kind === "bubble" ? { ...row, isTail: isTail(row, rows[index + 1]) } : row));
}

function rowOf(message: Message): Bubble | Extract<ThreadRow, { kind: "met" }> {
  const { id, clientId, msgType, text, position, time } = message;
  if (msgType === "met") return { kind: "met", key: id, seconds: Number(text) || 0 };
  const from = position === "right" ? "me" : "other";
  return { kind: "bubble", key: `${from} ${clientId}`, from, text, atMs: time, isTail: false, unsent: null };
}

function unsentRow(unsent: Unsent): Bubble {
  const { clientId, text, time } = unsent;
  return { kind: "bubble", key: `me ${clientId}`, from: "me", text, atMs: time, isTail: false, unsent };
}

function isTail(bubble: Bubble, next: ThreadRow | undefined): boolean {
  return next?.kind !== "bubble" || next.from !== bubble.from;
}

/** An answer says more than a receipt: there is none for what the other has written after. */
function receiptOf({ messages, conversation }: Thread): { message: Message; row: ThreadRow } | null {
  const message = messages.at(-1);
  if (message?.position !== "right" || message.msgType !== "text") return null;
  const readUpTo = conversation?.read_up_to ?? null;
  const isRead = readUpTo !== null && compareIds(readUpTo, message.id) >= 0;
  return { message, row: { kind: "receipt", key: `receipt ${message.id}`, isRead, atMs: message.time } };
}
