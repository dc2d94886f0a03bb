import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onlineCountRefreshMs } from "@fava/wire/limits.ts";
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

/** How many new numbers come in the time of three. */
function numbersOfThree(): number {
  show.mockClear();
  vi.advanceTimersByTime(3 * onlineCountRefreshMs);
  return show.mock.calls.length;
}

test("[HOME-5] the displayed count lies between 110000 and 111000, both included", () => {
  expect(randomCount(() => 0)).toBe(110_000);
  expect(randomCount(() => 0.999_999_9)).toBe(111_000);
});

test("the displayed count rests while the page is hidden, and goes on when it is shown", () => {
  stop = renewCount(show);
  expect(numbersOfThree()).toBe(3);
  hide(true);
  expect(numbersOfThree()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  hide(false);
  // Told again, as browsers do: still one number at a time.
  hide(false);
  expect(numbersOfThree()).toBe(3);
});

test("a page that is opened behind others shows no new number before it is seen, and none after its end", () => {
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
