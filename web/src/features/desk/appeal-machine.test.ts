import { expect, test } from "vitest";
import { appealRow, caseDetail, caseRow, claimOf } from "#testing/desk-makers.ts";
import {
  type AppealEffect,
  type AppealEvent,
  type AppealsState,
  appealClosed,
  initialAppeals,
  stepAppeals,
} from "./appeal-machine.ts";

const second = appealRow("1", { kind: "second", hours: 0 });
const own = appealRow("2", { kind: "second", hours: 0, is_own: true });
const appeal = appealRow("1");

function after(
  events: readonly AppealEvent[],
  from = initialAppeals(true),
): { state: AppealsState; effects: readonly AppealEffect[] } {
  let effects: readonly AppealEffect[] = [];
  let state = from;
  for (const event of events) ({ state, effects } = stepAppeals(state, event));
  return { state, effects };
}

const arrived: AppealEvent = { type: "arrived", lists: { seconds: [second, own], appeals: [appeal] } };
const open = (row: typeof second): readonly AppealEvent[] => [
  { type: "open", row },
  { type: "second-arrived", detail: caseDetail(caseRow(row.id), { state: "second" }) },
];
const agree: AppealEvent = { type: "decide", verdict: { kind: "second", operation: 4 } };

test("[DESK-121] what is opened to be decided is claimed; own first decisions are open to read and closed to decide", () => {
  const mine = after([arrived, ...open(second)]);
  expect(mine.effects).toEqual([{ type: "set-claim", row: second, on: 1 }]);
  expect(appealClosed(mine.state)).toBeNull();
  const closed = after([arrived, ...open(own)]);
  expect(closed.effects).toEqual([]);
  expect(appealClosed(closed.state)).toBe("first_decider");
  expect(after([agree], closed.state).state.pending).toBeNull();
});

test("[DESK-121] an item that somebody else has claimed cannot be decided", () => {
  const { state } = after([arrived, ...open(second), { type: "claim-arrived", id: "1", claim: claimOf("Vera") }]);
  expect(appealClosed(state)).toBe("claimed");
  expect(after([agree], state).state.pending).toBeNull();
});

test("[DESK-122] the decision takes the row off, is sent when its time is over, and can be undone before", () => {
  const { state, effects } = after([arrived, ...open(second), agree]);
  expect(state.seconds).toEqual([own]);
  expect(state.appeals).toEqual([appeal]);
  expect(effects).toEqual([{ type: "start-timer", delayMs: 5_000 }]);
  expect(after([{ type: "due" }], state).effects).toMatchObject([
    { type: "stop-timer" },
    { type: "send", pending: { row: { id: "1" }, verdict: { operation: 4 } } },
  ]);
  const undone = after([{ type: "undo" }], state).state;
  expect(undone.seconds.map(({ id }) => id)).toEqual(["1", "2"]);
  expect(undone.open?.row.id).toBe("1");
});

test("[DESK-122] a verdict of an appeal does not decide a second opinion with the same number", () => {
  const { state } = after([arrived, ...open(second)]);
  const wrong: AppealEvent = { type: "decide", verdict: { kind: "appeal", outcome: "lifted", answer: "Sorry." } };
  expect(after([wrong], state).state.pending).toBeNull();
});

test("[DESK-122] leaving an item gives the claim back, and an old list brings no decided one back", () => {
  const claimed = after([arrived, ...open(second), { type: "claim-arrived", id: "1", claim: claimOf(null) }]).state;
  const left = after([{ type: "close" }], claimed);
  expect(left.effects).toMatchObject([{ type: "set-claim", on: 0 }]);
  expect(after([agree, arrived], claimed).state.seconds).toEqual([own]);
});

test("[DESK-122] offline nothing is decided and what is pending waits", () => {
  const { state } = after([arrived, ...open(second), agree, { type: "online", isOnline: false }, { type: "due" }]);
  expect(state.pending?.isHeld).toBe(true);
  expect(after([{ type: "online", isOnline: true }], state).effects).toMatchObject([{}, { type: "send" }]);
});
