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

test("a day begins with its name, and a call is one line", () => {
  const met = message(1, { msgType: "met", text: "724", time: startMs - dayMs });
  const rows = threadRows(thread([met, message(2)]), []);
  expect(kinds(rows)).toEqual(["day", "met", "day", "bubble"]);
  expect(rows[1]).toMatchObject({ kind: "met", seconds: 724 });
});

test("a ring in vain is one line, of whoever rang, and has no receipt", () => {
  const rows = threadRows(thread([message(1, { msgType: "missed" }), { ...own(2), msgType: "missed" }]), []);
  expect(kinds(rows)).toEqual(["day", "missed", "missed"]);
  expect(rows.slice(1)).toMatchObject([{ from: "other" }, { from: "me" }]);
});

test("the last message of a run has its corner, and unsent ones stand at the end", () => {
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

test("the newest own message says whether it was read, unless the other has answered", () => {
  expect(threadRows(thread([own(9), own(10)]), []).at(-1)).toMatchObject({ kind: "receipt", isRead: false });
  expect(threadRows(thread([own(9), own(10)], "9"), []).at(-1)).toMatchObject({ kind: "receipt", isRead: false });
  expect(threadRows(thread([own(9), own(10)], "10"), []).at(-1)).toMatchObject({ kind: "receipt", isRead: true });
  expect(kinds(threadRows(thread([own(9), message(10)], "9"), []))).not.toContain("receipt");
});

test("a message keeps its place in the page when it becomes a stored one", () => {
  const unsent: Unsent = { clientId: "c4", text: "text 4", time: startMs, state: "sending" };
  const before = threadRows(thread([message(1)]), [unsent]).at(-1);
  const after = threadRows(thread([message(1), own(4)]), []).find((row) => row.kind === "bubble" && row.from === "me");
  expect(after?.key).toBe(before?.key);
});
