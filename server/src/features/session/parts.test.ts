import { describe, expect, test } from "vitest";
import { TestClock } from "#testing/clock.ts";
import { ExpiringSet } from "./expiring-set.ts";
import { cleanNickname } from "./nickname.ts";

describe("nickname", () => {
  test.each([
    ["  Ana  Lima ", "Ana Lima"],
    ["Ana\u202eamiL", "AnaamiL"],
    ["\u2066Ana\u2069\u200f", "Ana"],
    ["Ana\u0000\u0007\nLima", "Ana Lima"],
    ["A\ud800na", "Ana"],
    ["عمر", "عمر"],
    ["👩‍🚀 Zoë", "👩‍🚀 Zoë"],
    [" \t\u200e ", ""],
    ["x".repeat(200), "x".repeat(40)],
    ["🙂".repeat(50), "🙂".repeat(40)],
  ])("[SIGNIN-6] %j becomes %j", (written, kept) => {
    expect(cleanNickname(written)).toBe(kept);
  });
});

describe("expiring set", () => {
  test("a key is added once until it expires", () => {
    const clock = new TestClock();
    const set = new ExpiringSet(clock, 10);
    expect(set.add("a", clock.nowMs() + 100)).toBe(true);
    expect(set.add("a", clock.nowMs() + 100)).toBe(false);
    clock.advance(100);
    expect(set.add("a", clock.nowMs() + 100)).toBe(true);
  });

  test("a key is taken once, and not after its time", () => {
    const clock = new TestClock();
    const set = new ExpiringSet(clock, 10);
    set.add("a", clock.nowMs() + 100);
    set.add("b", clock.nowMs() + 100);
    expect([set.take("a"), set.take("a"), set.take("never")]).toEqual([true, false, false]);
    clock.advance(100);
    expect(set.take("b")).toBe(false);
  });

  test("never holds more than it may: what expired goes first, then what is oldest", () => {
    const clock = new TestClock();
    const set = new ExpiringSet(clock, 3);
    set.add("long", clock.nowMs() + 1_000);
    set.add("short", clock.nowMs() + 10);
    set.add("other", clock.nowMs() + 1_000);
    clock.advance(10);
    set.add("fourth", clock.nowMs() + 1_000);
    expect(set.add("long", clock.nowMs() + 1)).toBe(false);
    set.add("fifth", clock.nowMs() + 1_000);
    expect([set.take("long"), set.take("other"), set.take("fourth"), set.take("fifth")]).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});
