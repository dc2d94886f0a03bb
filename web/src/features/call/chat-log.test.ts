import { expect, test } from "vitest";
import { chatLogLinesMax } from "@fava/wire/limits.ts";
import { addLine, type ChatLine, failedState, type LineState, markLine, sentState } from "./chat-log.ts";

const states = {
  sending: { state: "sending" },
  sent: { state: "sent", told: null },
  failed: { state: "failed" },
} as const satisfies Record<string, LineState>;
const mine = (id: string, state: keyof typeof states = "sending"): ChatLine => ({
  from: "me",
  id,
  text: id,
  ...states[state],
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
  expect(markLine([mine("a"), theirs("a")], "a", states.sent)).toEqual([mine("a", "sent"), theirs("a")]);
});

test("[CHAT-2] the oldest lines go when there are more than the page keeps", () => {
  const all = Array.from({ length: chatLogLinesMax + 5 }, (_, index) => theirs(String(index)));
  const lines = all.reduce<readonly ChatLine[]>(addLine, []);
  expect(lines).toHaveLength(chatLogLinesMax);
  expect([lines[0]?.id, lines.at(-1)?.id]).toEqual(["5", String(chatLogLinesMax + 4)]);
});

test("[CHAT-3] an own line is on its way, then sent or failed, and a failed one may be sent again", () => {
  expect(markLine([mine("a"), mine("b")], "a", states.sent)).toEqual([mine("a", "sent"), mine("b")]);
  const failed = markLine([mine("a")], "a", states.failed);
  expect(failed).toEqual([mine("a", "failed")]);
  expect(markLine(markLine(failed, "a", states.sending), "a", states.sent)).toEqual([mine("a", "sent")]);
});

test("[CHAT-3] what was sent stays sent, whatever comes late", () => {
  expect(markLine([mine("a", "sent")], "a", states.failed)).toEqual([mine("a", "sent")]);
  expect(markLine([mine("a", "sent")], "a", states.sending)).toEqual([mine("a", "sent")]);
  expect(markLine([theirs("x")], "x", states.failed)).toEqual([theirs("x")]);
});

test("[SAFE-240] the writer is told what was covered in a line: contact data before words that hurt", () => {
  expect(sentState()).toEqual(states.sent);
  expect(sentState([])).toEqual(states.sent);
  expect(sentState(["phone"])).toEqual({ state: "sent", told: "masked" });
  expect(sentState(["abuse", "link"])).toEqual({ state: "sent", told: "masked" });
  expect(sentState(["abuse"])).toEqual({ state: "sent", told: "softened" });
});

test("[SAFE-241] a line of somebody who is muted, or an abusive one, is refused with its reason and not sent again", () => {
  const muted = failedState({ reason: "muted", until: 5_000 });
  expect(muted).toEqual({ state: "refused", why: "muted", until: 5_000 });
  expect(failedState({ reason: "abusive" })).toEqual({ state: "refused", why: "abusive", until: 0 });
  expect(failedState({ reason: "too_long" })).toEqual(states.failed);
  expect(markLine([mine("a")], "a", muted)).toEqual([{ from: "me", id: "a", text: "a", ...muted }]);
});
