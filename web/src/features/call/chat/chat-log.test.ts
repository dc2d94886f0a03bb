import { chatLogLinesMax } from "@fava/wire/limits.ts";
import { expect, test } from "vitest";
import {
  addLine,
  type ChatLine,
  failedState,
  type LineState,
  logEntries,
  markLine,
  type PartnerLine,
  partnerLine,
  sentState,
} from "./chat-log.ts";

const states = {
  sending: { state: "sending" },
  sent: { state: "sent", told: null, spans: [] },
  failed: { state: "failed" },
} as const satisfies Record<string, LineState>;
const mine = (id: string, state: keyof typeof states = "sending"): ChatLine => ({
  from: "me",
  id,
  text: id,
  ...states[state],
});
const theirs = (id: string, cover: PartnerLine["cover"] = null): PartnerLine => ({
  from: "other",
  id,
  text: id,
  hidden: [],
  cover,
});
const insult = { kind: "insult", text: "words that hurt" } as const;

test("shows a line once, however often it arrives", () => {
  const lines = addLine(addLine([], theirs("a")), mine("b"));
  expect(lines).toEqual([theirs("a"), mine("b")]);
  expect(addLine(lines, theirs("a"))).toBe(lines);
  expect(addLine(lines, { ...mine("b"), text: "again" } as ChatLine)).toBe(lines);
});

test("treats the same id of both senders as two lines, because each side makes its own ids", () => {
  expect(addLine([mine("a")], theirs("a"))).toEqual([mine("a"), theirs("a")]);
  expect(markLine([mine("a"), theirs("a")], "a", states.sent)).toEqual([mine("a", "sent"), theirs("a")]);
});

test("drops the oldest lines beyond the limit of the page", () => {
  const all = Array.from({ length: chatLogLinesMax + 5 }, (_, index) => theirs(String(index)));
  const lines = all.reduce<readonly ChatLine[]>(addLine, []);
  expect(lines).toHaveLength(chatLogLinesMax);
  expect([lines[0]?.id, lines.at(-1)?.id]).toEqual(["5", String(chatLogLinesMax + 4)]);
});

test("moves an own line from sending to sent or failed, and lets a failed one be sent again", () => {
  expect(markLine([mine("a"), mine("b")], "a", states.sent)).toEqual([mine("a", "sent"), mine("b")]);
  const failed = markLine([mine("a")], "a", states.failed);
  expect(failed).toEqual([mine("a", "failed")]);
  expect(markLine(markLine(failed, "a", states.sending), "a", states.sent)).toEqual([mine("a", "sent")]);
});

test("keeps a sent line sent, whatever arrives late", () => {
  expect(markLine([mine("a", "sent")], "a", states.failed)).toEqual([mine("a", "sent")]);
  expect(markLine([mine("a", "sent")], "a", states.sending)).toEqual([mine("a", "sent")]);
  expect(markLine([theirs("x")], "x", states.failed)).toEqual([theirs("x")]);
});

test("tells the writer the outcome of a line: covered takes precedence over hidden contact details", () => {
  const spans = [{ start: 0, end: 3, finding: "phone" }] as const;
  expect(sentState()).toEqual(states.sent);
  expect(sentState({ findings: [] })).toEqual(states.sent);
  expect(sentState({ findings: ["phone"], spans: [...spans] })).toEqual({ state: "sent", told: "hidden", spans });
  expect(sentState({ findings: ["abuse", "link"] })).toEqual({ state: "sent", told: "covered", spans: [] });
  expect(sentState({ findings: ["solicitation"] })).toEqual({ state: "sent", told: "covered", spans: [] });
});

test("reads what was hidden and covered from the message of a line", () => {
  const sent = { type: "chat", sequence: 1, roomId: "r", clientId: "a", text: "a", sentAtMs: 0 } as const;
  expect(partnerLine(sent)).toEqual(theirs("a"));
  const hidden = [{ start: 0, end: 1, finding: "phone" as const }];
  expect(partnerLine({ ...sent, hidden, cover: insult })).toEqual({ ...theirs("a", insult), hidden });
});

test("folds the covered lines of the partner from the third on, where the newest of them stood", () => {
  const [a, b, c, d] = [theirs("a", insult), theirs("b", insult), theirs("c", insult), theirs("d", insult)];
  const line = (one: ChatLine) => ({ kind: "line", line: one });
  expect(logEntries([a, theirs("x"), b])).toEqual([line(a), line(theirs("x")), line(b)]);
  const folded = { kind: "folded", lines: [a, b, c] };
  expect(logEntries([a, theirs("x"), b, mine("y"), c, theirs("z")])).toEqual([
    line(theirs("x")),
    line(mine("y")),
    folded,
    line(theirs("z")),
  ]);
  expect(logEntries([a, b, c, d])).toEqual([{ kind: "folded", lines: [a, b, c, d] }]);
});

test("rejects an abusive line, or one of a muted user, with its reason, and does not send it again", () => {
  const muted = failedState({ reason: "muted", until: 5_000 });
  expect(muted).toEqual({ state: "refused", why: "muted", until: 5_000 });
  expect(failedState({ reason: "abusive" })).toEqual({ state: "refused", why: "abusive", until: 0 });
  expect(failedState({ reason: "too_long" })).toEqual(states.failed);
  expect(markLine([mine("a")], "a", muted)).toEqual([{ from: "me", id: "a", text: "a", ...muted }]);
});
