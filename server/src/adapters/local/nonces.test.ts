import { expect, test } from "vitest";
import { nonceMemoryMs } from "@fava/wire/limits.ts";
import { noncesContract } from "#test/contracts/nonces-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { LocalNonces } from "./nonces.ts";

noncesContract("in memory", async () => {
  const clock = new TestClock();
  return {
    nonces: new LocalNonces({ clock }),
    nowMs: () => clock.nowMs(),
    advance: async (ms) => clock.advance(ms),
    [Symbol.asyncDispose]: async () => undefined,
  };
});

test("[SIGN-15] remembers a nonce for exactly 600 s", async () => {
  const clock = new TestClock();
  const nonces = new LocalNonces({ clock });
  const signedAtMs = clock.nowMs();
  clock.advance(nonceMemoryMs - 1);
  expect(await nonces.use({ sessionId: "s", nonce: "n", signedAtMs })).toBe("new");
  clock.advance(nonceMemoryMs - 1);
  expect(await nonces.use({ sessionId: "s", nonce: "n", signedAtMs })).toBe("used");
});

test("[SIGN-15] drops all old nonces after a long pause", async () => {
  const clock = new TestClock();
  const nonces = new LocalNonces({ clock });
  const call = { sessionId: "s", nonce: "n", signedAtMs: clock.nowMs() };
  await nonces.use(call);
  clock.advance(2 * nonceMemoryMs);
  expect(await nonces.use(call)).toBe("new");
});

test("limits its memory: sessions wait when it is full, and a flood of public requests affects only itself", async () => {
  const clock = new TestClock();
  const nonces = new LocalNonces({ clock, sessionNoncesMax: 2, publicNoncesMax: 2 });
  const use = (sessionId: string, nonce: string) => nonces.use({ sessionId, nonce, signedAtMs: clock.nowMs() });
  for (let count = 0; count < 10; count += 1) expect(await use("", `p${count}`)).toBe("new");
  expect(await use("", "p9")).toBe("used");
  expect(await use("s", "a")).toBe("new");
  expect(await use("s", "b")).toBe("new");
  expect(await use("s", "c")).toBe("full");
  expect(await use("s", "a")).toBe("used");
});
