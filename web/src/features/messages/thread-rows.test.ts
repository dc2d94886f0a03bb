import { expect, test } from "vitest";
import { conversation, message, startMs } from "#testing/message-makers.ts";
import type { Thread, Unsent } from "./messages-state.ts";
import { threadRows } from "./ThreadLog.tsx";
import { newThread } from "./messages-machine.ts";

const dayMs = 86_400_000;
const thread = (messages: Thread["messages"], readUpTo: string | null = null): Thread => ({
  ...newThread("bo"),
  conversation: conversation("bo", { read_up_to: readUpTo }),
  messages,
});
const own = (number: number) => message(number, { position: "right" });
const kinds = (rows: ReturnType<typeof threadRows>) => rows.map(({ kind }) => kind);

test("starts a day with its name, and shows a call as one line", () => {
  const met = message(1, { msgType: "met", text: "724", time: startMs - dayMs });
  const rows = threadRows(thread([met, message(2)]), []);
  expect(kinds(rows)).toEqual(["day", "met", "day", "bubble"]);
  expect(rows[1]).toMatchObject({ kind: "met", seconds: 724 });
});

test("shows a missed call as one line with its caller, without a receipt", () => {
  const rows = threadRows(thread([message(1, { msgType: "missed" }), { ...own(2), msgType: "missed" }]), []);
  expect(kinds(rows)).toEqual(["day", "missed", "missed"]);
  expect(rows.slice(1)).toMatchObject([{ from: "other" }, { from: "me" }]);
});

test("gives the last message of a run its corner, and places unsent ones at the end", () => {
  const unsent: Unsent = { clientId: "x", text: "later", time: startMs + 300_000, state: "sending" };
  const rows = threadRows(thread([message(1), message(2), own(3)]), [unsent]);
  const bubbles = rows.filter((row) => row.kind === "bubble");
  expect(bubbles.map(({ text, isTail }) => [text, isTail])).toEqual([
    ["text 1", false],
    ["text 2", true],
    ["text 3", true],
    ["later", true],
  ]);
  expect(bubbles.at(-1)?.origin).toEqual({ kind: "unsent", unsent });
  expect(bubbles[0]?.origin).toEqual({ kind: "stored", id: "1", clientId: "c1", cover: null });
});

test("shows whether the newest own message was read, unless the partner has answered", () => {
  expect(threadRows(thread([own(9), own(10)]), []).at(-1)).toMatchObject({ kind: "receipt", isRead: false });
  expect(threadRows(thread([own(9), own(10)], "9"), []).at(-1)).toMatchObject({ kind: "receipt", isRead: false });
  expect(threadRows(thread([own(9), own(10)], "10"), []).at(-1)).toMatchObject({ kind: "receipt", isRead: true });
  expect(kinds(threadRows(thread([own(9), message(10)], "9"), []))).not.toContain("receipt");
});

test("keeps the place of a message when it is stored", () => {
  const unsent: Unsent = { clientId: "c4", text: "text 4", time: startMs, state: "sending" };
  const before = threadRows(thread([message(1)]), [unsent]).at(-1);
  const after = threadRows(thread([message(1), own(4)]), []).find((row) => row.kind === "bubble" && row.from === "me");
  expect(after?.key).toBe(before?.key);
});
