import { undoMs } from "@fava/wire/limits.ts";
import { describe, expect, test } from "vitest";
import { noPanic, type EmergencyExit, type PanicEvent, type PanicState, type PanicStep, stepPanic } from "./panic.ts";

const exited: EmergencyExit = { userId: 8, nickname: "bo", callId: "m1", lineId: null };
const another: EmergencyExit = { userId: 9, nickname: "cy", callId: "m2", lineId: null };

function run(state: PanicState, ...events: PanicEvent[]): PanicStep {
  return events.reduce<PanicStep>((step, event) => stepPanic(step.state, event), { state, effects: [] });
}

const waiting = run(noPanic, { type: "exited", exited, reason: 7, nowMs: 1_000 }).state;
const sending = run(waiting, { type: "send" }).state;
const sent = run(sending, { type: "answered", exited, arrived: true }).state;
const failed = run(sending, { type: "answered", exited, arrived: false }).state;

test("delays block and report by five seconds with the general reason, then sends them", () => {
  expect(waiting).toEqual({
    step: "waiting",
    exited,
    reason: 7,
    note: "",
    isNoteDone: false,
    endsAtMs: 1_000 + undoMs,
  });
  expect(run(waiting, { type: "send" })).toEqual({
    state: { step: "sending", exited, reason: 7, note: "", isNoteDone: false },
    effects: [{ type: "send", exited, reason: 7, note: "" }],
  });
  expect(sent).toMatchObject({ step: "sent" });
});

test("withdraws both on undo while they wait, and nothing that was sent", () => {
  expect(run(waiting, { type: "undo" })).toEqual({ state: { step: "undone", exited }, effects: [] });
  expect(run(waiting, { type: "undo" }, { type: "send" }).effects).toEqual([]);
  expect(run(waiting, { type: "undo" }, { type: "leave" })).toEqual({ state: noPanic, effects: [] });
  for (const state of [sending, sent, failed]) expect(run(state, { type: "undo" })).toEqual({ state, effects: [] });
});

test("sends a chosen reason with the report, or as a further report after it", () => {
  const early = run(waiting, { type: "reason", reason: 9 }, { type: "send" });
  expect(early.effects).toEqual([{ type: "send", exited, reason: 9, note: "" }]);
  const late = run(sent, { type: "reason", reason: 4 });
  expect(late.effects).toEqual([{ type: "send-more", exited, reason: 4, note: "" }]);
  expect(run(late.state, { type: "reason", reason: 4 }).effects).toEqual([]);
  expect(run(waiting, { type: "undo" }, { type: "reason", reason: 4 }).effects).toEqual([]);
});

test("sends what was not sent when the user leaves the page in any way", () => {
  expect(run(waiting, { type: "leave" })).toEqual({
    state: noPanic,
    effects: [{ type: "send", exited, reason: 7, note: "" }],
  });
  expect(run(failed, { type: "leave" }).effects).toEqual([{ type: "send", exited, reason: 7, note: "" }]);
  for (const state of [sending, sent]) expect(run(state, { type: "leave" })).toEqual({ state: noPanic, effects: [] });
  const again = run(waiting, { type: "exited", exited: another, reason: 7, nowMs: 2_000 });
  expect(again.effects).toEqual([{ type: "send", exited, reason: 7, note: "" }]);
  expect(again.state).toMatchObject({ step: "waiting", exited: another });
});

test("lets the user retry what the server did not store, and ignores a response about another partner", () => {
  expect(failed).toMatchObject({ step: "failed" });
  expect(run(failed, { type: "send" }).effects).toEqual([{ type: "send", exited, reason: 7, note: "" }]);
  const late: PanicEvent = { type: "answered", exited: another, arrived: true };
  expect(run(sending, late)).toEqual({ state: sending, effects: [] });
  expect(run(noPanic, late)).toEqual({ state: noPanic, effects: [] });
});

describe("the user's own words", () => {
  const write = (note: string): PanicEvent => ({ type: "note", note });
  const sends = (type: "send" | "send-more", note: string) => [{ type, exited, reason: 7, note }];

  test("do not delay the report, and follow it once when they are finished", () => {
    const writing = run(waiting, write("He shou"), { type: "send" });
    expect(writing.effects).toEqual(sends("send", ""));
    const done = run(writing.state, write(" He shouted "), { type: "send-note" });
    expect(done.effects).toEqual(sends("send-more", "He shouted"));
    for (const event of [write("more"), { type: "send-note" }, { type: "leave" }] as const)
      expect(run(done.state, event).effects).toEqual([]);
  });

  test("go with a report that was not sent, and again with one that did not arrive", () => {
    const done = run(waiting, write("He shouted"), { type: "send-note" });
    expect(done.effects).toEqual([]);
    const going = run(done.state, { type: "send" });
    expect(going.effects).toEqual(sends("send", "He shouted"));
    const lost = run(going.state, { type: "answered", exited, arrived: false });
    expect(run(lost.state, { type: "send" }).effects).toEqual(sends("send", "He shouted"));
  });

  test("are sent when the page is left in any way, and not after Undo", () => {
    for (const event of [{ type: "leave" }, { type: "finish" }] as const) {
      expect(run(waiting, write("He shouted"), event).effects).toEqual(sends("send", "He shouted"));
      expect(run(sent, write("He shouted"), event).effects).toEqual(sends("send-more", "He shouted"));
      expect(run(sent, write("  "), event).effects).toEqual([]);
    }
    expect(run(waiting, write("He shouted"), { type: "undo" }, { type: "leave" }).effects).toEqual([]);
  });
});
