import { beforeEach, expect, test, vi } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { watchStop } from "./stop-watch.ts";

const clock = new TestClock();
const logger = { warn: vi.fn<(...line: unknown[]) => void>(), fatal: vi.fn<(...line: unknown[]) => void>() };
const exit = vi.fn<(code: number) => void>();
let left: string[];

beforeEach(() => {
  vi.clearAllMocks();
  left = ["drain", "HTTP"];
});

const watch = () => watchStop({ clock, logger, left: () => left, drainMs: 600_000, exit });

test("logs after 10 s what a stop waits for, and again only if that changes", () => {
  using _watch = watch();
  clock.advance(9_999);
  expect(logger.warn).not.toHaveBeenCalled();
  clock.advance(30_001);
  expect(logger.warn.mock.calls).toEqual([[{ waitsFor: "drain", left: ["drain", "HTTP"] }, "still stopping"]]);
  left = ["HTTP"];
  clock.advance(10_000);
  expect(logger.warn.mock.lastCall).toEqual([{ waitsFor: "HTTP", left: ["HTTP"] }, "still stopping"]);
});

test("ends the process 15 s after the drain limit, and names what is left", () => {
  using _watch = watch();
  clock.advance(614_999);
  expect(exit).not.toHaveBeenCalled();
  clock.advance(1);
  expect(logger.fatal.mock.lastCall?.[0]).toEqual({ left: ["drain", "HTTP"] });
  expect(exit).toHaveBeenCalledWith(1);
});

test("ends nothing after everything has ended", () => {
  watch()[Symbol.dispose]();
  clock.advance(3_600_000);
  expect([logger.warn.mock.calls, exit.mock.calls]).toEqual([[], []]);
});
