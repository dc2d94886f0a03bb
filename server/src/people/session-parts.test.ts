import { describe, expect, test } from "vitest";
import type { Authentication } from "#ports/authentication.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { SessionCache, sessionCacheMs } from "./session-store.ts";
import { cleanNickname } from "./sign-in.ts";

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
  ])("cleans %j to %j", (written, kept) => {
    expect(cleanNickname(written)).toBe(kept);
  });
});

describe("session cache", () => {
  const sessionOf = (userId: bigint): Authentication => ({
    kind: "live",
    session: {
      id: `session-${userId}`,
      userId,
      externalId: `external-${userId}`,
      role: 0,
      profileComplete: true,
    },
    signKeys: [Buffer.alloc(32)],
    language: "en",
  });

  function world(sessionsMax = 10) {
    const clock = new TestClock();
    const cache = new SessionCache(clock, sessionsMax);
    const read: string[] = [];
    const get = (token: string, userId: bigint, meanwhile: () => void = () => undefined) =>
      cache.get(token, async () => {
        read.push(token);
        meanwhile();
        return sessionOf(userId);
      });
    return { clock, cache, read, get };
  }

  test("reads a session once, until it is invalidated or a minute has passed", async () => {
    const { clock, cache, read, get } = world();
    await get("a", 1n);
    await expect(get("a", 1n)).resolves.toEqual(sessionOf(1n));
    expect(read).toEqual(["a"]);
    cache.forget(1n);
    await get("a", 1n);
    expect(read).toEqual(["a", "a"]);
    clock.advance(sessionCacheMs);
    await get("a", 1n);
    expect(read).toEqual(["a", "a", "a"]);
  });

  test("does not cache what is read during an invalidation", async () => {
    const { cache, read, get } = world();
    await get("a", 1n, () => cache.forget(1n));
    await get("a", 1n);
    expect(read).toEqual(["a", "a"]);
  });

  test("reads ended sessions every time", async () => {
    const cache = new SessionCache(new TestClock(), 10);
    let count = 0;
    const read = async () => {
      count += 1;
      return { kind: "ended", reason: "kicked", signKeys: [] } as const;
    };
    await cache.get("a", read);
    await expect(cache.get("a", read)).resolves.toMatchObject({ kind: "ended", reason: "kicked" });
    expect(count).toBe(2);
  });

  test("drops the least recently used session when full, and can still invalidate the others", async () => {
    const { cache, read, get } = world(2);
    await get("a", 1n);
    await get("b", 2n);
    await get("a", 1n);
    await get("c", 3n);
    await get("a", 1n);
    expect(read).toEqual(["a", "b", "c"]);
    cache.forget(1n);
    await get("a", 1n);
    expect(read).toEqual(["a", "b", "c", "a"]);
  });
});
