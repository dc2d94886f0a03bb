import { expect, test } from "vitest";
import { chatLogLinesMax } from "@fava/wire/limits.ts";
import { addLine, type ChatLine, markLine } from "./chat-log.ts";

const mine = (id: string, state: "sending" | "sent" | "failed" = "sending"): ChatLine => ({
  from: "me",
  id,
  text: id,
  state,
});
const theirs = (id: string): ChatLine => ({ from: "other", id, text: id });

test("[CHAT-2] a line is shown once, however often it arrives", () => {
  const lines = addLine(addLine([], theirs("a")), mine("b"));
  expect(lines).toEqual([theirs("a"), mine("b")]);
  expect(addLine(lines, theirs("a"))).toBe(lines);
  expect(addLine(lines, { ...mine("b"), text: "again" } as ChatLine)).toBe(lines);
});

test("[CHAT-2] ids are the senders' own: the same one of both sides is two lines", () => {
  expect(addLine([mine("a")], theirs("a"))).toEqual([mine("a"), theirs("a")]);
  expect(markLine([mine("a"), theirs("a")], "a", "sent")).toEqual([mine("a", "sent"), theirs("a")]);
});

test("[CHAT-2] the oldest lines go when there are more than the page keeps", () => {
  const all = Array.from({ length: chatLogLinesMax + 5 }, (_, index) => theirs(String(index)));
  const lines = all.reduce<readonly ChatLine[]>(addLine, []);
  expect(lines).toHaveLength(chatLogLinesMax);
  expect([lines[0]?.id, lines.at(-1)?.id]).toEqual(["5", String(chatLogLinesMax + 4)]);
});

test("[CHAT-3] an own line is on its way, then sent or failed, and a failed one may be sent again", () => {
  expect(markLine([mine("a"), mine("b")], "a", "sent")).toEqual([mine("a", "sent"), mine("b")]);
  const failed = markLine([mine("a")], "a", "failed");
  expect(failed).toEqual([mine("a", "failed")]);
  expect(markLine(markLine(failed, "a", "sending"), "a", "sent")).toEqual([mine("a", "sent")]);
});

test("[CHAT-3] what was sent stays sent, whatever comes late", () => {
  expect(markLine([mine("a", "sent")], "a", "failed")).toEqual([mine("a", "sent")]);
  expect(markLine([mine("a", "sent")], "a", "sending")).toEqual([mine("a", "sent")]);
  expect(markLine([theirs("x")], "x", "failed")).toEqual([theirs("x")]);
});
