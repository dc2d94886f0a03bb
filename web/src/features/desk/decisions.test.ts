import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { type Decision, UndoableDecisions } from "./decisions.ts";

const refusal = new RequestFailure({ code: 403, reason: "claimed" });

let sent: { name: string; keepalive: boolean }[];
let told: unknown[];
let sentCount: number;
let isReachable: boolean;
let decisions: UndoableDecisions<Decision>;

beforeEach(() => {
  vi.useFakeTimers();
  [sent, told, sentCount, isReachable] = [[], [], 0, true];
  decisions = new UndoableDecisions<Decision>({
    isReachable: () => isReachable,
    onSent: () => (sentCount += 1),
  });
  decisions.hearRefusals((decision, error) => told.push(decision.ids, error));
});
afterEach(() => vi.useRealTimers());

/** A decision about items, of which each is told to the server by a request of its own name. */
function about(...ids: string[]): Decision {
  return {
    ids,
    text: "",
    requests: ids.map((name) => ({
      send: async ({ keepalive }) => void sent.push({ name, keepalive }),
      prepare: async () => async () => void sent.push({ name: `${name} signed ahead`, keepalive: true }),
    })),
  };
}

const decided = () => [...decisions.store.getState().decided.keys()];
const pending = () => decisions.store.getState().pending?.ids ?? null;

test("a decision holds at once, and is sent when its time to undo is over, once", async () => {
  expect(decisions.take(about("a"))).toBe(true);
  expect(decided()).toEqual(["a"]);
  expect(pending()).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([{ name: "a", keepalive: false }]);
  expect(sentCount).toBe(1);
  expect(pending()).toBeNull();
  decisions.flush();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveLength(1);
  // An older answer of the server must not bring it back.
  expect(decided()).toEqual(["a"]);
});

test("a second decision sends the first one at once, and nothing is decided twice", async () => {
  decisions.take(about("a"));
  decisions.take(about("b"));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([{ name: "a", keepalive: false }]);
  expect(pending()).toEqual(["b"]);
  expect(decisions.take(about("a"))).toBe(false);
  expect(decisions.take(about("c", "b"))).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent.map(({ name }) => name)).toEqual(["a", "b"]);
});

test("what was undone is no longer decided, and never reaches the server", async () => {
  const decision = about("a", "b");
  decisions.take(decision);
  expect(decisions.undo()).toBe(decision);
  expect(decided()).toEqual([]);
  expect(pending()).toBeNull();
  expect(decisions.undo()).toBeNull();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([]);
  // It can be decided again.
  expect(decisions.take(decision)).toBe(true);
});

test("a page that goes away sends what was signed ahead, in this very turn and once", async () => {
  decisions.take(about("a", "b"));
  await vi.advanceTimersByTimeAsync(0);
  decisions.leave();
  expect(sent).toEqual([
    { name: "a signed ahead", keepalive: true },
    { name: "b signed ahead", keepalive: true },
  ]);
  decisions.leave();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveLength(2);
  expect(sentCount).toBe(1);
});

test("a later decision replaces the one before, also while that is still being signed", async () => {
  let signed: (send: () => Promise<void>) => void = () => undefined;
  const slow: Decision = {
    ids: ["a"],
    text: "",
    requests: [{ send: async () => undefined, prepare: () => new Promise((resolve) => (signed = resolve)) }],
  };
  decisions.take(slow);
  decisions.take(about("b"));
  await vi.advanceTimersByTimeAsync(0);
  signed(async () => void sent.push({ name: "a", keepalive: true }));
  await vi.advanceTimersByTimeAsync(0);
  decisions.leave();
  expect(sent).toEqual([{ name: "b signed ahead", keepalive: true }]);
});

test("without a key to sign with nothing is ready, and the usual way has to do", async () => {
  const [request] = about("a").requests;
  if (!request) throw new Error("one request");
  const unsigned = { ...request, prepare: () => Promise.reject(new Error("no session")) };
  decisions.take({ ids: ["a"], text: "", requests: [unsigned] });
  await vi.advanceTimersByTimeAsync(0);
  decisions.leave();
  expect(sent).toEqual([{ name: "a", keepalive: true }]);
});

test("without a network what is pending waits until it is back", async () => {
  decisions.take(about("a"));
  isReachable = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual([]);
  expect(decisions.store.getState()).toMatchObject({ isHeld: true, pending: { ids: ["a"] } });
  decisions.noteReach();
  expect(decisions.store.getState().isHeld).toBe(true);
  isReachable = true;
  decisions.noteReach();
  expect(pending()).toBeNull();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([{ name: "a", keepalive: false }]);
});

test("whoever leaves without a network sends all the same", async () => {
  decisions.take(about("a"));
  await vi.advanceTimersByTimeAsync(0);
  isReachable = false;
  await vi.advanceTimersByTimeAsync(5_000);
  // What was signed ahead is still there while it waits.
  decisions.leave();
  expect(sent).toEqual([{ name: "a signed ahead", keepalive: true }]);
});

test("what the server refuses is told, and no longer decided", async () => {
  const [request] = about("b").requests;
  if (!request) throw new Error("one request");
  const refused = { ...request, send: () => Promise.reject(refusal) };
  decisions.take({ ids: ["a", "b"], text: "", requests: [...about("a").requests, refused, ...about("c").requests] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([["a", "b"], refusal]);
  expect(decided()).toEqual([]);
  expect(sentCount).toBe(0);
  // One after the other: what comes after the refusal is not sent.
  expect(sent.map(({ name }) => name)).toEqual(["a"]);
});
