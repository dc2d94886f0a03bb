import { expect, test } from "vitest";
import { claimOf, deskNowMs } from "#testing/desk-makers.ts";
import {
  initialReview,
  isCovered,
  type PictureRow,
  type ReviewEffect,
  type ReviewEvent,
  type ReviewState,
  safeTogether,
  shownRows,
  stepReview,
} from "./review-machine.ts";

function row(id: string, why: PictureRow["why"], change: Partial<PictureRow> = {}): PictureRow {
  return {
    id,
    user_id: 1,
    user_no: "1",
    nickname: id,
    url: `/media/${id}.webp`,
    thumb: `/media/${id}-s.webp`,
    status: "pending",
    reason_id: null,
    at: deskNowMs,
    joined_at: deskNowMs,
    why,
    explicit: null,
    earlier: { approved: 0, rejected: 0 },
    claim: null,
    ...change,
  };
}

const rows = [
  row("a", "random"),
  row("b", "unsure"),
  row("c", "reported"),
  row("d", "random"),
  row("e", "contact"),
  row("f", "new", { explicit: 0.02 }),
  row("g", "new"),
];

function after(
  events: readonly ReviewEvent[],
  from: ReviewState = initialReview({ isOnline: true, isBlurred: true }),
): { state: ReviewState; effects: readonly ReviewEffect[] } {
  let effects: readonly ReviewEffect[] = [];
  let state = from;
  for (const event of events) ({ state, effects } = stepReview(state, event));
  return { state, effects };
}

const arrived: ReviewEvent = {
  type: "arrived",
  cursor: null,
  page: { rows, next: null, waiting: 7, oldest_at: deskNowMs },
};
const approve: ReviewEvent = { type: "decide", verdict: { operation: 1 } };
const seen = (id: string): ReviewEvent => ({ type: "seen", id });

test("[DESK-110] the filters divide the pictures by why a person looks", () => {
  const state = after([arrived]).state;
  const shown = (filter: ReviewState["filter"]) =>
    shownRows(after([{ type: "filter", filter }], state).state).map(({ id }) => id);
  expect(shown("all")).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
  expect(shown("unsure")).toEqual(["b", "e"]);
  expect(shown("reported")).toEqual(["c"]);
  expect(shown("random")).toEqual(["a", "d"]);
});

test("[DESK-111] what is flagged or was not looked at is covered until asked for; the rest is clear", () => {
  const { state } = after([arrived]);
  expect(rows.map((one) => isCovered(state, one))).toEqual([false, true, true, false, true, false, true]);
  const asked = after([{ type: "go", id: "b" }, { type: "toggle-cover" }], state);
  expect(isCovered(asked.state, row("b", "unsure"))).toBe(false);
  expect(asked.effects).toEqual([{ type: "set-claim", id: "b", on: 1 }]);
});

test("[DESK-111] a picture that was not shown is neither approved nor rejected", () => {
  const state = after([arrived, { type: "go", id: "b" }]).state;
  const tried = after([approve], state);
  expect(tried.state.marks.size).toBe(0);
  expect(tried.effects).toEqual([{ type: "tell-unseen" }]);
  const rejected = after([{ type: "decide", verdict: { operation: 2, reasonId: 1 } }], state);
  expect(rejected.state.marks.size).toBe(0);
  const looked = after([{ type: "toggle-cover" }, seen("b"), approve], state);
  expect(looked.state.marks.get("b")).toEqual({ operation: 1 });
});

test("[DESK-114] whoever has switched the covers off sees everything, and can cover one again", () => {
  const state = after([arrived, { type: "blur", isBlurred: false }]).state;
  expect(rows.some((one) => isCovered(state, one))).toBe(false);
  const covered = after([{ type: "go", id: "b" }, { type: "toggle-cover" }], state).state;
  expect(rows.filter((one) => isCovered(covered, one)).map(({ id }) => id)).toEqual(["b"]);
});

test("[DESK-112] only the random checks that were seen are approved together", () => {
  const state = after([arrived, seen("a"), seen("b")]).state;
  expect(safeTogether(state).map(({ id }) => id)).toEqual(["a"]);
  const together = after([seen("d"), { type: "approve-random" }], state).state;
  expect([...together.marks.keys()]).toEqual(["a", "d"]);
  expect(after([{ type: "approve-random" }], after([arrived]).state).state.marks.size).toBe(0);
});

test("[DESK-113] a decision marks at once, goes on, is sent when its time is over, and can be undone before", () => {
  const decided = after([arrived, seen("a"), approve]);
  expect(decided.state.current).toBe("b");
  expect(decided.state.waiting).toBe(6);
  expect(decided.effects).toEqual([{ type: "start-timer", delayMs: 5_000 }]);
  const due = after([{ type: "due" }], decided.state);
  expect(due.effects).toMatchObject([{ type: "stop-timer" }, { type: "send", pending: { rows: [{ id: "a" }] } }]);
  const undone = after([{ type: "undo" }], decided.state).state;
  expect([undone.marks.size, undone.current, undone.waiting, undone.pending]).toEqual([0, "a", 7, null]);
});

test("[DESK-113] offline nothing is decided, and what is pending waits for the network", () => {
  const held = after([arrived, seen("a"), approve, { type: "online", isOnline: false }, { type: "due" }]);
  expect(held.effects).toEqual([]);
  expect(after([{ type: "go", id: "d" }, seen("d"), approve], held.state).state.marks.size).toBe(1);
  expect(after([{ type: "online", isOnline: true }], held.state).effects).toMatchObject([{}, { type: "send" }]);
});

test("[DESK-113] another's picture cannot be decided, and what the server refuses waits again", () => {
  const taken = after([arrived, { type: "claim-arrived", id: "a", claim: claimOf("Vera") }, seen("a"), approve]).state;
  expect(taken.marks.size).toBe(0);
  const refused = after([arrived, seen("a"), approve, { type: "due" }, { type: "refused", ids: ["a"] }]);
  expect(refused.state.marks.size).toBe(0);
  expect(refused.effects).toEqual([{ type: "load", cursor: null }]);
});

test("[DESK-113] arrows stop at both ends, and a page that comes later goes to the end of the list", () => {
  const state = after([arrived, { type: "move", by: -1 }]).state;
  expect(state.current).toBe("a");
  expect(after([{ type: "move", by: 9 }], state).state.current).toBe("g");
  const more = after(
    [{ type: "arrived", cursor: "x", page: { rows: [row("h", "new")], next: null, waiting: 8, oldest_at: null } }],
    state,
  );
  expect(more.state.rows.at(-1)?.id).toBe("h");
});
