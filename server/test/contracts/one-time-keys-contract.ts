import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OneTimeKeys } from "#ports/one-time-keys.ts";

export interface OneTimeKeysWorld extends AsyncDisposable {
  keys: OneTimeKeys;
  /** Advances the time of the store. */
  advance(ms: number): Promise<void>;
}

/** Contract of `OneTimeKeys`; `makeWorld` opens an empty store for each test. */
export function oneTimeKeysContract(name: string, makeWorld: () => Promise<OneTimeKeysWorld>): void {
  describe(`one-time keys: ${name}`, () => {
    let world: OneTimeKeysWorld;
    let keys: OneTimeKeys;

    beforeEach(async () => {
      world = await makeWorld();
      ({ keys } = world);
    });
    afterEach(() => world[Symbol.asyncDispose]());

    test("[SIGNIN-69] adds a key once until it expires", async () => {
      expect(await keys.add("providerToken", "a", 600_000)).toBe(true);
      expect(await keys.add("providerToken", "a", 600_000)).toBe(false);
      expect(await keys.add("signInNonce", "a", 600_000)).toBe(true);
      await world.advance(600_000);
      expect(await keys.add("providerToken", "a", 600_000)).toBe(true);
    });

    test("[SIGNIN-69] gives a key once, to one of many, and not after it expired", async () => {
      await keys.add("signInNonce", "a", 600_000);
      await keys.add("signInNonce", "b", 600_000);
      const takes = await Promise.all(Array.from({ length: 20 }, () => keys.take("signInNonce", "a")));
      expect(takes.filter(Boolean)).toHaveLength(1);
      expect(await keys.take("signInNonce", "never")).toBe(false);
      expect(await keys.take("providerToken", "b")).toBe(false);
      await world.advance(600_000);
      expect(await keys.take("signInNonce", "b")).toBe(false);
    });
  });
}
