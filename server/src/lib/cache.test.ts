import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { boundedCache, UserCache } from "./cache.ts";

test("drops the least recently used entry", () => {
  const gone: string[] = [];
  const cache = boundedCache<string, number>({ entriesMax: 2, dispose: (value, key) => gone.push(`${key} ${value}`) });
  cache.set("ana", 1);
  cache.set("bo", 2);
  cache.get("ana");
  cache.set("mia", 3);
  expect([cache.get("ana"), cache.get("bo"), cache.get("mia"), cache.size]).toEqual([1, undefined, 3, 2]);
  cache.set("ana", 4);
  cache.delete("mia");
  expect(gone).toEqual(["bo 2", "ana 1", "mia 3"]);
});

test("keeps an entry for its time, which setting extends and reading does not", () => {
  const clock = new TestClock();
  const cache = boundedCache<bigint, string>({ entriesMax: 10, expiry: { clock, ttlMs: 1_000 } });
  cache.set(1n, "one");
  cache.set(2n, "two");
  clock.advance(999);
  expect(cache.get(1n)).toBe("one");
  cache.set(2n, "two again");
  clock.advance(1);
  expect([cache.get(1n), cache.get(2n)]).toEqual([undefined, "two again"]);
  clock.advance(998);
  expect(cache.get(2n)).toBe("two again");
  clock.advance(1);
  expect(cache.get(2n)).toBe(undefined);
});

test("emits each user that changed on any server, and notifies other servers only of changes on this one", () => {
  const [dropped, forgotten]: bigint[][] = [[], []];
  const cache = new UserCache<string>({ entriesMax: 10 });
  cache.onDropped((userId) => dropped!.push(userId));
  cache.onForgotten((userId) => forgotten!.push(userId));
  cache.forget(1n);
  cache.drop(2n);
  expect([dropped, forgotten]).toEqual([[1n, 2n], [1n]]);
});
