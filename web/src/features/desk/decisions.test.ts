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

/** A decision on items, with a named request for each. */
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

test("applies a decision at once, and sends it once when its time to undo is over", async () => {
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
  // An older response does not make the item undecided again.
  expect(decided()).toEqual(["a"]);
});

test("sends the first decision at once when a second one is made, and decides nothing twice", async () => {
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

test("never sends an undone decision, which can be made again", async () => {
  const decision = about("a", "b");
  decisions.take(decision);
  expect(decisions.undo()).toBe(decision);
  expect(decided()).toEqual([]);
  expect(pending()).toBeNull();
  expect(decisions.undo()).toBeNull();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([]);
  // The item can be decided again.
  expect(decisions.take(decision)).toBe(true);
});

test("sends the signed requests in the same turn when the page closes, once", async () => {
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

test("replaces the earlier decision by a later one, also while that is being signed", async () => {
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

test("falls back to normal requests without a signing key", async () => {
  const [request] = about("a").requests;
  if (!request) throw new Error("no request");
  const unsigned = { ...request, prepare: () => Promise.reject(new Error("no session")) };
  decisions.take({ ids: ["a"], text: "", requests: [unsigned] });
  await vi.advanceTimersByTimeAsync(0);
  decisions.leave();
  expect(sent).toEqual([{ name: "a", keepalive: true }]);
});

test("keeps the pending decision until the network is back", async () => {
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

test("sends the pending decision on leaving even without a network", async () => {
  decisions.take(about("a"));
  await vi.advanceTimersByTimeAsync(0);
  isReachable = false;
  await vi.advanceTimersByTimeAsync(5_000);
  // While the decision waits for the network, it keeps its signed requests.
  decisions.leave();
  expect(sent).toEqual([{ name: "a signed ahead", keepalive: true }]);
});

test("reports a decision that the server rejects, and withdraws it", async () => {
  const [request] = about("b").requests;
  if (!request) throw new Error("no request");
  const refused = { ...request, send: () => Promise.reject(refusal) };
  decisions.take({ ids: ["a", "b"], text: "", requests: [...about("a").requests, refused, ...about("c").requests] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([["a", "b"], refusal]);
  expect(decided()).toEqual([]);
  expect(sentCount).toBe(0);
  // One after the other: requests after the rejected one are not sent.
  expect(sent.map(({ name }) => name)).toEqual(["a"]);
});
