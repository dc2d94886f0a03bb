import { beforeEach, expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { MachineRunner, type Running } from "./machine.ts";

/** A countdown, one number every 10 ms. Records each step. */
interface State {
  readonly left: number;
  readonly nextMs: number | null;
}
type Event = { readonly type: "given"; readonly left: number; readonly nowMs: number } | { readonly type: "tick" };

let clock: TestClock;
let said: string[];
let counter: Running<State>;
let runner: MachineRunner<Running<State>, Event, string>;

function step(state: State, event: Event): { state: State; effects: string[] } {
  if (event.type === "given") return { state: { left: event.left, nextMs: event.nowMs + 10 }, effects: ["given"] };
  const left = state.left - 1;
  const nextMs = left === 0 || state.nextMs === null ? null : state.nextMs + 10;
  return { state: { left, nextMs }, effects: [`${left} left`] };
}

beforeEach(() => {
  clock = new TestClock();
  said = [];
  counter = { state: { left: 0, nextMs: null }, timer: null, dueMs: null };
  runner = new MachineRunner({
    clock,
    step,
    dueMs: ({ nextMs }) => nextMs,
    run: (_counter, effect) => void said.push(`${clock.monotonicMs()}: ${effect}`),
    due: (subject) => runner.dispatch(subject, { type: "tick" }),
  });
});

const given = (left: number): Event => ({ type: "given", left, nowMs: clock.monotonicMs() });

test("runs effects after an event, and dispatches time when the state is due, until it never is", () => {
  runner.dispatch(counter, given(2));
  clock.advance(100);
  expect(said).toEqual(["0: given", "10: 1 left", "20: 0 left"]);
  expect([counter.state.left, counter.timer, counter.dueMs, clock.pendingCount]).toEqual([0, null, null, 0]);
});

test("has one timer, for the newest state", () => {
  runner.dispatch(counter, given(2));
  clock.advance(5);
  runner.dispatch(counter, given(1));
  expect(clock.pendingCount).toBe(1);
  clock.advance(100);
  expect(said).toEqual(["0: given", "5: given", "15: 0 left"]);
});

test("sets the timer for the state after events that an effect dispatches", () => {
  const nested = new MachineRunner<Running<State>, Event, string>({
    clock,
    step,
    dueMs: ({ nextMs }) => nextMs,
    run: (subject, effect) => {
      said.push(effect);
      if (effect === "given") nested.dispatch(subject, { type: "tick" });
    },
    due: () => said.push("due"),
  });
  nested.dispatch(counter, given(1));
  clock.advance(100);
  expect([said, clock.pendingCount]).toEqual([["given", "0 left"], 0]);
});

test("sets the timer of an initial state on request, and none after stop", () => {
  counter.state = { left: 2, nextMs: 10 };
  runner.arm(counter);
  clock.advance(10);
  runner.stop(counter);
  clock.advance(100);
  expect([said, clock.pendingCount]).toEqual([["10: 1 left"], 0]);
});

test("dispatches due time without waiting for the timer, and not before", () => {
  runner.dispatch(counter, given(1));
  runner.catchUp(counter);
  expect(said).toEqual(["0: given"]);
  counter.state = { left: 1, nextMs: 0 };
  runner.arm(counter);
  runner.catchUp(counter);
  expect([said, clock.pendingCount]).toEqual([["0: given", "0: 0 left"], 0]);
});
