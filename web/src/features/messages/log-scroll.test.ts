import { expect, test } from "vitest";
import { type LogEnds, logMove, type LogShape } from "./ThreadLog.tsx";

const ends = (firstKey: string, lastKey: string, isOwn = false): LogEnds => ({ firstKey, lastKey, isOwn });
const shape = (scrollTop: number, scrollHeight = 1_000): LogShape => ({ scrollTop, scrollHeight, clientHeight: 400 });
const atEnd = { ends: ends("a", "m"), shape: shape(600) };
const above = { ends: ends("a", "m"), shape: shape(100) };

test("a thread opens at its newest message", () => {
  expect(logMove(null, { ends: ends("a", "m"), shape: shape(0) })).toEqual({ to: "end" });
});

test("at the end a new message is followed; further up it only says that it is there", () => {
  const now = { ends: ends("a", "n"), shape: shape(600, 1_050) };
  expect(logMove(atEnd, now)).toEqual({ to: "end" });
  expect(logMove(above, { ...now, shape: shape(100, 1_050) })).toEqual({ to: "stay", isNews: true });
});

test("an own message is gone to wherever one has read", () => {
  expect(logMove(above, { ends: ends("a", "n", true), shape: shape(100, 1_050) })).toEqual({ to: "end" });
});

test("older messages come in above without moving what is read", () => {
  expect(logMove(above, { ends: ends("older", "m"), shape: shape(100, 1_700) })).toEqual({ to: 800 });
});

test("what changes nothing at either end moves nothing", () => {
  expect(logMove(above, { ends: ends("a", "m"), shape: shape(100, 1_020) })).toEqual({ to: "stay", isNews: false });
});
