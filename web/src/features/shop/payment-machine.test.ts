import { describe, expect, test } from "vitest";
import { bank, card, orderOf } from "#testing/shop-world.ts";
import {
  idlePayment,
  type PaymentEffect,
  type PaymentEvent,
  type PaymentState,
  pollDelaysMs,
  pollsMax,
  stepPayment,
} from "./payment-machine.ts";

const purchase = { packId: 6, beans: 10_000, priceMinor: 999, currencyCode: "USD" };
const choose: PaymentEvent = { type: "chosen", purchase, methods: [card, bank], method: null };
const link = { url: "https://pay.example/1", orderNo: "ord1" };

/** Applies events to the idle state. Returns the last state, and all effects in order. */
function walk(...events: PaymentEvent[]): { state: PaymentState; effects: PaymentEffect[] } {
  let state = idlePayment;
  const effects: PaymentEffect[] = [];
  for (const event of events) {
    const step = stepPayment(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}
const toWaiting: readonly PaymentEvent[] = [
  choose,
  { type: "method", method: card },
  { type: "continue", isBlocked: false },
  { type: "link", link },
];
const from = (state: PaymentState, ...events: PaymentEvent[]) => {
  let last = { state, effects: [] as readonly PaymentEffect[] };
  for (const event of events) last = stepPayment(last.state, event);
  return last;
};
const waiting = walk(...toWaiting).state;

test("preselects none of several methods, and requests nothing without one", () => {
  const { state, effects } = walk(choose, { type: "continue", isBlocked: false });
  expect(state).toMatchObject({ name: "pay", choice: { method: null } });
  expect(effects).toEqual([]);
});

test("chooses a single method automatically", () => {
  expect(walk({ ...choose, methods: [bank] }).state).toMatchObject({ choice: { method: bank } });
});

test("sets chargeStatus to 1 with the link request, and requests the link once", () => {
  const { state, effects } = walk(...toWaiting.slice(0, 3), { type: "continue", isBlocked: false });
  expect(state.name).toBe("opening");
  expect(effects.map(({ type }) => type)).toEqual(["charge-status", "request-link"]);
  expect(effects[0]).toEqual({ type: "charge-status", value: 1 });
});

test("restores the choice after a rejected link, says why, and resets chargeStatus", () => {
  const { state, effects } = walk(...toWaiting.slice(0, 3), { type: "refused", problem: "slow_down" });
  expect(state).toMatchObject({ name: "pay", problem: "slow_down", choice: { method: card } });
  expect(effects.slice(-2)).toEqual([{ type: "close-window" }, { type: "charge-status", value: 0 }]);
});

test("applies the newer choice while the page opens, and ignores the late link of the first", () => {
  const opening = walk(...toWaiting.slice(0, 3)).state;
  const other = { ...purchase, packId: 7, beans: 3_200, priceMinor: 399 };
  const chosen = stepPayment(opening, { type: "chosen", purchase: other, methods: [card, bank], method: card });
  expect(chosen.state).toEqual({
    name: "pay",
    choice: { purchase: other, methods: [card, bank], method: card },
    problem: null,
  });
  expect(chosen.effects).toEqual([{ type: "close-window" }, { type: "charge-status", value: 0 }]);
  for (const late of [{ type: "link", link } as const, { type: "refused", problem: "silence" } as const])
    expect(stepPayment(chosen.state, late)).toEqual({ state: chosen.state, effects: [] });
  expect(from(chosen.state, { type: "continue", isBlocked: false }).effects).toContainEqual({
    type: "request-link",
    choice: { purchase: other, methods: [card, bank], method: card },
  });
});

test("polls at growing intervals while it waits, and stops at last", () => {
  let state = waiting;
  const delays: number[] = [];
  let stopped = false;
  for (let count = 0; count < pollsMax + 5 && !stopped; count += 1) {
    const due = stepPayment(state, { type: "poll-due" });
    expect(due.effects).toEqual([{ type: "ask", orderNo: "ord1", check: false }]);
    const answer = stepPayment(due.state, { type: "order", order: orderOf() });
    state = answer.state;
    for (const effect of answer.effects) {
      if (effect.type === "poll-after") delays.push(effect.delayMs);
      else stopped = effect.type === "stop-polling";
    }
  }
  expect(stopped).toBe(true);
  expect(delays).toHaveLength(pollsMax - 1);
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  expect(delays.at(-1)).toBe(pollDelaysMs.at(-1));
  expect(from(state, { type: "check-now" }).effects).toEqual([{ type: "ask", orderNo: "ord1", check: true }]);
});

test("polls again after a missing response", () => {
  const step = from(waiting, { type: "poll-due" }, { type: "silence" });
  expect(step.state.name).toBe("waiting");
  expect(step.effects).toEqual([{ type: "poll-after", delayMs: pollDelaysMs[1] }]);
});

test("checks with the provider once at a time, and shows the result", () => {
  const asking = from(waiting, { type: "check-now" });
  expect(asking.effects).toEqual([{ type: "ask", orderNo: "ord1", check: true }]);
  expect(from(asking.state, { type: "check-now" }).effects).toEqual([]);
  expect(from(asking.state, { type: "order", order: orderOf() }).state).toMatchObject({ check: "not-yet" });
  expect(from(asking.state, { type: "silence" }).state).toMatchObject({ check: "silence" });
});

test("polls at once on news from another tab", () => {
  expect(from(waiting, { type: "news" }).effects).toEqual([{ type: "ask", orderNo: "ord1", check: false }]);
});

test("asks before it cancels, and changes nothing when the user keeps waiting", () => {
  const asked = from(waiting, { type: "ask-cancel" });
  expect(asked.state).toMatchObject({ name: "waiting", isCancelling: true });
  expect(asked.effects).toEqual([]);
  expect(from(asked.state, { type: "keep-waiting" }).state).toEqual(waiting);
  const cancelled = from(asked.state, { type: "cancel" });
  expect(cancelled.state).toEqual(idlePayment);
  expect(cancelled.effects).toEqual([
    { type: "stop-polling" },
    { type: "charge-status", value: 0 },
    { type: "remember", orderNo: null },
    { type: "close-window" },
  ]);
});

test("does not cancel when the dialog closes", () => {
  expect(from(waiting, { type: "done" })).toEqual({ state: waiting, effects: [] });
  expect(walk(choose, { type: "done" }).state).toEqual(idlePayment);
});

test("completes a paid order, loads the balance and shows it when it arrives", () => {
  const order = orderOf({ state: "paid" });
  const paid = from(waiting, { type: "order", order });
  expect(paid.state).toEqual({ name: "complete", order, balance: null });
  expect(paid.effects).toContainEqual({ type: "charge-status", value: 0 });
  expect(paid.effects).toContainEqual({ type: "refresh-user" });
  expect(from(paid.state, { type: "balance", beans: 10_000 }).state).toMatchObject({ balance: 10_000 });
});

describe("the result of a payment", () => {
  test.each([
    ["failed", "failed"],
    ["expired", "failed"],
    ["review", "review"],
    ["disputed", "complete"],
    ["refunded", "complete"],
    ["charged_back", "complete"],
  ] as const)("treats the order state %s as %s", (orderState, name) => {
    const end = from(waiting, { type: "order", order: orderOf({ state: orderState }) });
    expect(end.state.name).toBe(name);
    expect(end.effects).toContainEqual({ type: "stop-polling" });
    expect(end.effects).toContainEqual({ type: "remember", orderNo: null });
  });

  test("lets the user retry a failed payment with the same choice", () => {
    const again = from(waiting, { type: "order", order: orderOf({ state: "failed" }) }, { type: "again" });
    expect(again.state).toMatchObject({ name: "pay", choice: { purchase, method: card }, problem: null });
  });

  test("ignores a response about another order", () => {
    const step = from(waiting, { type: "order", order: orderOf({ order_no: "other", state: "paid" }) });
    expect(step).toEqual({ state: waiting, effects: [] });
  });
});

test("restores a waiting payment after a reload, and drops an ended one", () => {
  const found = walk({ type: "restored", order: orderOf() });
  expect(found.state).toMatchObject({ name: "waiting", link, purchase: { beans: 10_000, priceMinor: 999 } });
  expect(found.effects).toEqual([{ type: "poll-after", delayMs: pollDelaysMs[0] }]);
  expect(walk({ type: "restored", order: orderOf({ state: "paid" }) })).toEqual({
    state: idlePayment,
    effects: [{ type: "remember", orderNo: null }],
  });
});

test("removes the payment from the page for another user's session, and writes nothing", () => {
  const reset = from(waiting, { type: "reset" });
  expect(reset).toEqual({ state: idlePayment, effects: [{ type: "stop-polling" }] });
});
