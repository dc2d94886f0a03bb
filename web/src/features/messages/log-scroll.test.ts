import { expect, test } from "vitest";
import { type LogEnds, logMove, type LogShape } from "./ThreadLog.tsx";

const ends = (firstKey: string, lastKey: string, isOwn = false): LogEnds => ({ firstKey, lastKey, isOwn });
const shape = (scrollTop: number, scrollHeight = 1_000): LogShape => ({ scrollTop, scrollHeight, clientHeight: 400 });
const atEnd = { ends: ends("a", "m"), shape: shape(600) };
const above = { ends: ends("a", "m"), shape: shape(100) };

test("opens a thread at its newest message", () => {
  expect(logMove(null, { ends: ends("a", "m"), shape: shape(0) })).toEqual({ to: "end" });
});

test("follows a new message at the end, and only offers it further up", () => {
  const now = { ends: ends("a", "n"), shape: shape(600, 1_050) };
  expect(logMove(atEnd, now)).toEqual({ to: "end" });
  expect(logMove(above, { ...now, shape: shape(100, 1_050) })).toEqual({ to: "stay", isNews: true });
});

test("scrolls to an own message from anywhere", () => {
  expect(logMove(above, { ends: ends("a", "n", true), shape: shape(100, 1_050) })).toEqual({ to: "end" });
});

test("inserts older messages above without moving what is being read", () => {
  expect(logMove(above, { ends: ends("older", "m"), shape: shape(100, 1_700) })).toEqual({ to: 800 });
});

test("does not scroll when neither end changes", () => {
  expect(logMove(above, { ends: ends("a", "m"), shape: shape(100, 1_020) })).toEqual({ to: "stay", isNews: false });
});
