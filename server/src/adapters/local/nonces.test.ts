import { expect, test } from "vitest";
import { nonceMemoryMs } from "@fava/wire/limits.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { LocalNonces } from "./nonces.ts";

test("[SIGN-15] a nonce is remembered for 600 s at least, and forgotten in the end", async () => {
  const clock = new TestClock();
  const nonces = new LocalNonces({ clock });
  clock.advance(nonceMemoryMs - 1);
  expect(await nonces.use("s", "n")).toBe("new");
  clock.advance(nonceMemoryMs - 1);
  expect(await nonces.use("s", "n")).toBe("used");
  clock.advance(2 * nonceMemoryMs);
  expect(await nonces.use("s", "n")).toBe("new");
});

test("[SIGN-15] after a long silence nothing old is left", async () => {
  const clock = new TestClock();
  const nonces = new LocalNonces({ clock });
  await nonces.use("s", "n");
  clock.advance(2 * nonceMemoryMs);
  expect(await nonces.use("s", "n")).toBe("new");
});

test("each session has its own nonces", async () => {
  const nonces = new LocalNonces({ clock: new TestClock() });
  expect(await nonces.use("s", "n")).toBe("new");
  expect(await nonces.use("t", "n")).toBe("new");
  expect(await nonces.use("", "n")).toBe("new");
  expect(await nonces.use("", "n")).toBe("used");
});

test("[GUARD-26] the memory is bounded: sessions wait when it is full, a flood of public calls reaches only itself", async () => {
  const nonces = new LocalNonces({ clock: new TestClock(), sessionNoncesMax: 2, publicNoncesMax: 2 });
  for (let count = 0; count < 10; count += 1) expect(await nonces.use("", `p${count}`)).toBe("new");
  expect(await nonces.use("", "p9")).toBe("used");
  expect(await nonces.use("s", "a")).toBe("new");
  expect(await nonces.use("s", "b")).toBe("new");
  expect(await nonces.use("s", "c")).toBe("full");
  expect(await nonces.use("s", "a")).toBe("used");
});
