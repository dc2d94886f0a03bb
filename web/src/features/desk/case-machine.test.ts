import { expect, test } from "vitest";
import { caseDetail, caseRow, claimOf, deskNowMs, deskPerson } from "#testing/desk-makers.ts";
import {
  type CaseEffect,
  type CaseEvent,
  type CasesState,
  closedBecause,
  initialCases,
  stepCases,
} from "./case-machine.ts";

const rows = [caseRow("a"), caseRow("b", { claim: claimOf("Vera") }), caseRow("c"), caseRow("d")];
const page = { rows, next: null, waiting: 4, oldest_at: deskNowMs };

function after(
  events: readonly CaseEvent[],
  from: CasesState = initialCases(true),
): { state: CasesState; effects: readonly CaseEffect[] } {
  let effects: readonly CaseEffect[] = [];
  let state = from;
  for (const event of events) ({ state, effects } = stepCases(state, event));
  return { state, effects };
}

const arrived: CaseEvent = { type: "queue-arrived", box: "reports", order: "harm", cursor: null, page };
const opened = (id: string): readonly CaseEvent[] => [
  { type: "open", id },
  { type: "case-arrived", detail: caseDetail(rows.find((row) => row.id === id) ?? caseRow(id)), isAhead: false },
];
const clear: CaseEvent = { type: "decide", verdict: { operation: 1 } };
const ids = (state: CasesState) => state.queue.rows.map(({ id }) => id);
const sends = (effects: readonly CaseEffect[]) => effects.filter(({ type }) => type === "send");

test("[DESK-102] a decision takes the case off at once, waits to be sent, and the next free case opens and is claimed", () => {
  const { state, effects } = after([arrived, ...opened("a"), clear]);
  expect(ids(state)).toEqual(["b", "c", "d"]);
  expect(state.queue.waiting).toBe(3);
  expect(state.pending?.row.id).toBe("a");
  expect(state.open?.id).toBe("c");
  expect(sends(effects)).toEqual([]);
  expect(effects).toContainEqual({ type: "start-timer", delayMs: 5_000 });
  expect(effects).toContainEqual({ type: "set-claim", id: "a", on: 1 });
  expect(effects).toContainEqual({ type: "set-claim", id: "c", on: 1 });
});

test("[DESK-102] when the time to undo is over it is sent, once", () => {
  const decided = after([arrived, ...opened("a"), clear]).state;
  const due = after([{ type: "due" }], decided);
  expect(sends(due.effects)).toMatchObject([
    { pending: { row: { id: "a" }, verdict: { operation: 1 } }, isLeaving: false },
  ]);
  expect(sends(after([{ type: "due" }], due.state).effects)).toEqual([]);
});

test("[DESK-102] a second decision sends the first one at once", () => {
  const decided = after([arrived, ...opened("a"), clear, ...opened("c")]).state;
  const second = after([clear], decided);
  expect(sends(second.effects)).toMatchObject([{ pending: { row: { id: "a" } } }]);
  expect(second.state.pending?.row.id).toBe("c");
});

test("[DESK-103] undo brings the case back to its place and opens it; nothing is sent", () => {
  const { state, effects } = after([arrived, ...opened("a"), clear, { type: "undo" }]);
  expect(ids(state)).toEqual(["a", "b", "c", "d"]);
  expect(state.open?.id).toBe("a");
  expect(state.pending).toBeNull();
  expect(sends(effects)).toEqual([]);
  expect(effects).toContainEqual({ type: "stop-timer" });
});

test("[DESK-104] a page that goes away sends what is pending in a call that outlives it", () => {
  const { effects } = after([arrived, ...opened("a"), clear, { type: "leave" }]);
  expect(sends(effects)).toMatchObject([{ isLeaving: true }]);
});

test("[DESK-105] without a network nothing is decided, and what is pending waits until it is back", () => {
  const offline = after([arrived, ...opened("a"), clear, { type: "online", isOnline: false }, { type: "due" }]);
  expect(sends(offline.effects)).toEqual([]);
  expect(offline.state.pending?.isHeld).toBe(true);
  expect(closedBecause(after(opened("c"), offline.state).state)).toEqual({ because: "offline" });
  const back = after([{ type: "online", isOnline: true }], offline.state);
  expect(sends(back.effects)).toHaveLength(1);
  expect(back.state.pending).toBeNull();
});

test("[DESK-106] a case that somebody else claims can be read, not decided, and says who has it", () => {
  const mine = after([arrived, ...opened("a"), { type: "claim-arrived", id: "a", claim: claimOf(null) }]).state;
  expect(closedBecause(mine)).toBeNull();
  const lost = after([{ type: "claim-arrived", id: "a", claim: claimOf("Vera") }], mine).state;
  expect(closedBecause(lost)).toEqual({ because: "lost", to: "Vera" });
  expect(after([clear], lost).state.pending).toBeNull();
  expect(closedBecause(after([arrived, ...opened("b")]).state)).toEqual({ because: "lost", to: "Vera" });
});

test("[DESK-106] a decision is taken back when somebody else turns out to have the case", () => {
  const decided = after([arrived, ...opened("a"), clear]).state;
  const { state, effects } = after([{ type: "claim-arrived", id: "a", claim: claimOf("Vera") }], decided);
  expect(state.pending).toBeNull();
  expect(ids(state)).toContain("a");
  expect(effects).toEqual([{ type: "stop-timer" }, { type: "tell-taken", person: "Person a", by: "Vera" }]);
});

test("[DESK-106] a key renews an own claim that has grown old, and an expired one is gone", () => {
  const mine = after([arrived, ...opened("a"), { type: "claim-arrived", id: "a", claim: claimOf(null) }]).state;
  expect(after([{ type: "active", nowMs: deskNowMs + 10_000 }], mine).effects).toEqual([]);
  expect(after([{ type: "active", nowMs: deskNowMs + 61_000 }], mine).effects).toEqual([
    { type: "set-claim", id: "a", on: 1 },
  ]);
  const { state } = after([{ type: "tick", nowMs: deskNowMs + 600_000 }], mine);
  expect(state.open?.phase === "ready" && state.open.detail.claim).toBeNull();
});

test("[DESK-106] a claim that is answered before the case itself holds, and a lapsed one goes with the next tick", () => {
  const mine: CaseEvent = { type: "claim-arrived", id: "a", claim: claimOf(null) };
  const [open, read] = opened("a");
  if (!open || !read) throw new Error("two events open a case");
  for (const order of [
    [open, mine, read],
    [open, read, mine, read],
  ]) {
    const { state } = after([arrived, ...order]);
    expect(state.open).toMatchObject({ phase: "ready", detail: { claim: { mine: true } } });
    const lapsed = after([{ type: "tick", nowMs: deskNowMs + 3_600_000 }], state).state;
    expect(lapsed.open).toMatchObject({ phase: "ready", detail: { claim: null } });
  }
});

test("[DESK-107] nobody decides about themself, a colleague, or what is decided already", () => {
  for (const because of ["own", "moderator", "decided", "administrators"] as const) {
    const detail = caseDetail(caseRow("a"), { closed_because: because });
    const { state } = after([arrived, { type: "open", id: "a" }, { type: "case-arrived", detail, isAhead: false }]);
    expect(closedBecause(state)).toEqual({ because });
    expect(after([clear], state).state.pending).toBeNull();
  }
});

test("[DESK-108] the next free case is read ahead, and is there at once when it opens", () => {
  const first = after([arrived, { type: "open", id: "a" }]);
  expect(first.effects).toEqual([
    { type: "load-case", id: "a", isAhead: false },
    { type: "load-case", id: "c", isAhead: true },
  ]);
  const ready = after(
    [
      { type: "case-arrived", detail: caseDetail(caseRow("c")), isAhead: true },
      { type: "open", id: "c" },
    ],
    first.state,
  );
  expect(ready.state.open?.phase).toBe("ready");
});

test("[DESK-108] in the restricted queue nothing is read ahead, because every reading is written down", () => {
  const { effects } = after([
    { type: "filter", box: "restricted", order: "harm" },
    { type: "queue-arrived", box: "restricted", order: "harm", cursor: null, page },
    { type: "open", id: "a" },
  ]);
  expect(effects).toEqual([{ type: "load-case", id: "a", isAhead: false }]);
});

test("[DESK-109] J and K move, S gives the claim back and goes on; an old answer brings no decided case back", () => {
  const mine = after([arrived, ...opened("a"), { type: "claim-arrived", id: "a", claim: claimOf(null) }]).state;
  expect(after([{ type: "step", by: 1 }], mine).state.open?.id).toBe("b");
  expect(after([{ type: "step", by: -1 }], mine).state.open?.id).toBe("a");
  const skipped = after([{ type: "skip" }], mine);
  expect(skipped.state.open?.id).toBe("c");
  expect(skipped.effects).toContainEqual({ type: "set-claim", id: "a", on: 0 });
  const { state } = after([clear, arrived], mine);
  expect(ids(state)).toEqual(["b", "c", "d"]);
  expect(state.queue.waiting).toBe(3);
});

test("[DESK-109] a decision that the server refuses brings the queue as the server has it", () => {
  const decided = after([arrived, ...opened("a"), clear]).state;
  const { pending } = decided;
  if (!pending) throw new Error("nothing is pending");
  const sent = after([{ type: "due" }], decided).state;
  const { state, effects } = after([{ type: "refused", pending }], sent);
  expect(effects).toEqual([{ type: "load-queue", box: "reports", order: "harm", cursor: null }]);
  expect(ids(after([arrived], state).state)).toEqual(["a", "b", "c", "d"]);
});

test("[DESK-109] what tools changed of the person shows in the open case", () => {
  const state = after([arrived, ...opened("a")]).state;
  const changed = after([{ type: "person", subject: deskPerson({ labels: [3] }) }], state).state;
  expect(changed.open?.phase === "ready" && changed.open.detail.subject.labels).toEqual([3]);
});
