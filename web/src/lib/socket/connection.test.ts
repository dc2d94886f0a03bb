import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reachabilityCheckTimeoutMs, reachabilityCheckIntervalMs, socketGraceMs } from "@fava/wire/limits.ts";
import { probeWhileUsed } from "#lib/probe-while-used.ts";
import {
  probeServer,
  connection,
  followConnection,
  noteAnswer,
  noteSocket,
  onServerAnswer,
  onReachableAgain,
} from "./connection.ts";

let owner: AbortController;
let page: EventTarget & { hidden: boolean };
const network = { onLine: true };
/** The response to a probe: a status, a failure, or none. */
let answer: number | "refused" | "hangs";
let asked = 0;
const back = vi.fn<() => void>();
const again = vi.fn<() => void>();

const reach = () => connection.getState().reach;

beforeEach(() => {
  vi.useFakeTimers();
  owner = new AbortController();
  page = Object.assign(new EventTarget(), { hidden: false });
  network.onLine = true;
  answer = 200;
  asked = 0;
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", network);
  vi.stubGlobal("fetch", async (_path: string, { signal }: { signal: AbortSignal }) => {
    asked += 1;
    if (answer === "refused") throw new TypeError("Failed to fetch");
    if (answer !== "hangs") return { status: answer };
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("late"))));
  });
  // The virtual clock does not control the browser's own timeouts.
  vi.spyOn(AbortSignal, "timeout").mockImplementation((afterMs) => {
    const late = new AbortController();
    setTimeout(() => late.abort(), afterMs);
    return late.signal;
  });
  followConnection(owner.signal);
  for (const stop of [onReachableAgain(back), onServerAnswer(again)]) owner.signal.addEventListener("abort", stop);
});

afterEach(() => {
  owner.abort();
  vi.resetAllMocks();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function goOffline(): Promise<void> {
  network.onLine = false;
  window.dispatchEvent(new Event("offline"));
}

test("reports a browser without a network as offline at once, until the server responds", async () => {
  await goOffline();
  expect(reach()).toBe("offline");
  network.onLine = true;
  answer = "hangs";
  window.dispatchEvent(new Event("online"));
  // The browser has a network again, but the server has not responded yet.
  expect(reach()).toBe("offline");
  await vi.advanceTimersByTimeAsync(reachabilityCheckTimeoutMs);
  expect(reach()).toBe("away");
  answer = 200;
  await probeServer();
  expect(reach()).toBe("fine");
  expect(back).toHaveBeenCalledOnce();
});

test("reports a missing server as away within 3 s, keeps probing, and recovers by itself", async () => {
  answer = "refused";
  await probeServer();
  expect(reach()).toBe("away");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toBeGreaterThan(7);
  expect(asked).toBeLessThan(15);
  expect(back).not.toHaveBeenCalled();
  answer = 200;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(reach()).toBe("fine");
  expect(back).toHaveBeenCalledOnce();
  const asks = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(asks);
});

test.each([502, 503, 504])("treats a proxy that responds %i as a server that is away", async (status) => {
  answer = status;
  await probeServer();
  expect(reach()).toBe("away");
});

test("treats a response to any request as proof that the server is up", async () => {
  answer = "refused";
  await probeServer();
  noteAnswer();
  expect(reach()).toBe("fine");
});

test("ignores a socket that reopens at once, and reports one that is missing for longer", async () => {
  noteSocket("waiting");
  noteSocket("live");
  noteSocket("waiting");
  await vi.advanceTimersByTimeAsync(socketGraceMs - 1);
  noteSocket("live");
  await vi.advanceTimersByTimeAsync(socketGraceMs);
  expect(reach()).toBe("fine");
  noteSocket("waiting");
  await vi.advanceTimersByTimeAsync(socketGraceMs);
  expect(reach()).toBe("away");
  noteSocket("live");
  expect(reach()).toBe("fine");
});

test("reports a hanging socket as away until it responds, over any number of new ones", async () => {
  noteSocket("live");
  answer = "hangs";
  noteSocket("quiet");
  expect(reach()).toBe("away");
  await vi.advanceTimersByTimeAsync(reachabilityCheckTimeoutMs);
  noteSocket("waiting");
  expect(reach()).toBe("away");
  answer = 200;
  await vi.advanceTimersByTimeAsync(2 * reachabilityCheckTimeoutMs);
  // The server responds: the socket can reconnect at once.
  expect(again).toHaveBeenCalledOnce();
  expect(reach()).toBe("away");
  noteSocket("live");
  expect(reach()).toBe("fine");
});

test("probes without a socket while the page is in use and visible, and rests otherwise", async () => {
  const used = new AbortController();
  owner.signal.addEventListener("abort", () => used.abort());
  probeWhileUsed(used.signal);
  await vi.advanceTimersByTimeAsync(4 * reachabilityCheckIntervalMs);
  expect(asked).toBe(4);
  answer = "refused";
  await vi.advanceTimersByTimeAsync(reachabilityCheckIntervalMs);
  expect(reach()).toBe("away");
  answer = 200;
  await vi.advanceTimersByTimeAsync(2 * reachabilityCheckIntervalMs);
  expect(reach()).toBe("fine");
  await vi.advanceTimersByTimeAsync(60_000);
  const rested = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(rested);
  window.dispatchEvent(new Event("pointermove"));
  expect(asked).toBe(rested + 1);
  page.hidden = true;
  await vi.advanceTimersByTimeAsync(4 * reachabilityCheckIntervalMs);
  expect(asked).toBe(rested + 1);
  page.hidden = false;
  noteSocket("live");
  await vi.advanceTimersByTimeAsync(4 * reachabilityCheckIntervalMs);
  expect(asked).toBe(rested + 1);
});
