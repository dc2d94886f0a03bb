import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nonceMemoryMs } from "@fava/wire/limits.ts";
import type { Nonces } from "#ports/nonces.ts";

export interface NoncesWorld extends AsyncDisposable {
  nonces: Nonces;
  /** Current time by the clock of the client that signs. */
  nowMs(): number;
  /** Advances the time of the store. */
  advance(ms: number): Promise<void>;
}

/** Contract of `Nonces`; `makeWorld` opens an empty store for each test. */
export function noncesContract(name: string, makeWorld: () => Promise<NoncesWorld>): void {
  describe(`nonces: ${name}`, () => {
    let world: NoncesWorld;
    let nonces: Nonces;
    const use = (sessionId: string, nonce: string) => nonces.use({ sessionId, nonce, signedAtMs: world.nowMs() });

    beforeEach(async () => {
      world = await makeWorld();
      ({ nonces } = world);
    });
    afterEach(() => world[Symbol.asyncDispose]());

    test("[SIGN-15] remembers a nonce for at least 600 s, and not for ever", async () => {
      expect(await use("s", "n")).toBe("new");
      await world.advance(nonceMemoryMs - 60_000);
      expect(await use("s", "n")).toBe("used");
      await world.advance(2 * nonceMemoryMs);
      expect(await use("s", "n")).toBe("new");
    });

    test("[SIGN-15] keeps nonces per session", async () => {
      expect(await use("s", "n")).toBe("new");
      expect(await use("t", "n")).toBe("new");
      expect(await use("", "n")).toBe("new");
      expect(await use("", "n")).toBe("used");
    });

    test("[SIGN-15] accepts one of several equal concurrent requests", async () => {
      const uses = await Promise.all(Array.from({ length: 20 }, () => use("s", "n")));
      expect(uses.filter((one) => one === "new")).toHaveLength(1);
      expect(uses.filter((one) => one === "used")).toHaveLength(19);
    });

    test("[SIGN-26] treats a request as stale that was signed before the memory began", async () => {
      expect(await use("s", "n")).toBe("new");
      expect(await nonces.use({ sessionId: "s", nonce: "m", signedAtMs: world.nowMs() - 86_400_000 })).toBe("stale");
    });
  });
}
