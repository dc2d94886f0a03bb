import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reachAskMs, reachEveryMs, socketGraceMs } from "@fava/wire/limits.ts";
import { askWhileUsed } from "#lib/ask-while-used.ts";
import {
  askForAnswer,
  connection,
  followConnection,
  noteAnswer,
  noteSocket,
  onAnswerAgain,
  onBack,
} from "./connection.ts";

let owner: AbortController;
let page: EventTarget & { hidden: boolean };
const network = { onLine: true };
/** What comes back to whoever asks: a status, or nothing. */
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
  // The virtual clock has no hold of the browser's own.
  vi.spyOn(AbortSignal, "timeout").mockImplementation((afterMs) => {
    const late = new AbortController();
    setTimeout(() => late.abort(), afterMs);
    return late.signal;
  });
  followConnection(owner.signal);
  for (const stop of [onBack(back), onAnswerAgain(again)]) owner.signal.addEventListener("abort", stop);
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

test("a browser without a network is offline at once, until something answers", async () => {
  await goOffline();
  expect(reach()).toBe("offline");
  network.onLine = true;
  answer = "hangs";
  window.dispatchEvent(new Event("online"));
  // A network is not yet an answer.
  expect(reach()).toBe("offline");
  await vi.advanceTimersByTimeAsync(reachAskMs);
  expect(reach()).toBe("away");
  answer = 200;
  await askForAnswer();
  expect(reach()).toBe("fine");
  expect(back).toHaveBeenCalledOnce();
});

test("a server that is gone is away within 3 s, is asked again and again, and is back by itself", async () => {
  answer = "refused";
  await askForAnswer();
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

test.each([502, 503, 504])("a proxy that answers %i speaks of nobody behind it", async (status) => {
  answer = status;
  await askForAnswer();
  expect(reach()).toBe("away");
});

test("an answer to any call says that Fava is there", async () => {
  answer = "refused";
  await askForAnswer();
  noteAnswer();
  expect(reach()).toBe("fine");
});

test("a socket that is opened again at once is no news; one that is missed for longer is", async () => {
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

test("a socket that hangs is away until it is heard, through as many new ones as it takes", async () => {
  noteSocket("live");
  answer = "hangs";
  noteSocket("quiet");
  expect(reach()).toBe("away");
  await vi.advanceTimersByTimeAsync(reachAskMs);
  noteSocket("waiting");
  expect(reach()).toBe("away");
  answer = 200;
  await vi.advanceTimersByTimeAsync(2 * reachAskMs);
  // Something answers: whoever opens the socket need not wait to find out.
  expect(again).toHaveBeenCalledOnce();
  expect(reach()).toBe("away");
  noteSocket("live");
  expect(reach()).toBe("fine");
});

test("a page without a socket asks while somebody uses it and sees it, and rests otherwise", async () => {
  const used = new AbortController();
  owner.signal.addEventListener("abort", () => used.abort());
  askWhileUsed(used.signal);
  await vi.advanceTimersByTimeAsync(4 * reachEveryMs);
  expect(asked).toBe(4);
  answer = "refused";
  await vi.advanceTimersByTimeAsync(reachEveryMs);
  expect(reach()).toBe("away");
  answer = 200;
  await vi.advanceTimersByTimeAsync(2 * reachEveryMs);
  expect(reach()).toBe("fine");
  await vi.advanceTimersByTimeAsync(60_000);
  const rested = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(rested);
  window.dispatchEvent(new Event("pointermove"));
  expect(asked).toBe(rested + 1);
  page.hidden = true;
  await vi.advanceTimersByTimeAsync(4 * reachEveryMs);
  expect(asked).toBe(rested + 1);
  page.hidden = false;
  noteSocket("live");
  await vi.advanceTimersByTimeAsync(4 * reachEveryMs);
  expect(asked).toBe(rested + 1);
});
