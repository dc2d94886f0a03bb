import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onlineCountRefreshMs } from "@fava/wire/limits.ts";
import { setCallShown } from "#lib/call-shown.ts";
import { randomCount, renewCount } from "./Header.tsx";

let page: EventTarget & { hidden: boolean };
let stop: () => void;
const show = vi.fn<(count: number) => void>();

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("document", page);
  stop = () => undefined;
});

afterEach(() => {
  stop();
  vi.resetAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function hide(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

/** The number of updates during three intervals. */
function numbersOfThree(): number {
  show.mockClear();
  vi.advanceTimersByTime(3 * onlineCountRefreshMs);
  return show.mock.calls.length;
}

test("[HOME-5] displays a count from 110000 to 111000, both included", () => {
  expect(randomCount(() => 0)).toBe(110_000);
  expect(randomCount(() => 0.999_999_9)).toBe(111_000);
});

test("pauses the count while the page is hidden, and resumes when it is shown", () => {
  stop = renewCount(show);
  expect(numbersOfThree()).toBe(3);
  hide(true);
  expect(numbersOfThree()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  hide(false);
  // A repeated event, which browsers send, does not start a second interval.
  hide(false);
  expect(numbersOfThree()).toBe(3);
});

test("pauses the count while a call covers the page", () => {
  stop = renewCount(show);
  setCallShown(true);
  expect(numbersOfThree()).toBe(0);
  setCallShown(false);
  expect(numbersOfThree()).toBe(3);
});

test("shows no new number on a page in the background before it is seen, and none after its end", () => {
  page.hidden = true;
  stop = renewCount(show);
  expect(numbersOfThree()).toBe(0);
  hide(false);
  expect(numbersOfThree()).toBe(3);
  stop();
  expect(numbersOfThree()).toBe(0);
  hide(true);
  hide(false);
  expect(numbersOfThree()).toBe(0);
});
