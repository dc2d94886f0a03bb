import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryLifeMs, type TemporaryStore } from "#ports/temporary-store.ts";

export interface TemporaryStoreWorld extends AsyncDisposable {
  memory: TemporaryStore;
  /** Advances the time of the store. */
  advance(ms: number): Promise<void>;
}

/** Contract of `TemporaryStore`; `makeWorld` opens an empty store for each test. */
export function temporaryStoreContract(name: string, makeWorld: () => Promise<TemporaryStoreWorld>): void {
  describe(`short memory: ${name}`, () => {
    let world: TemporaryStoreWorld;
    let memory: TemporaryStore;

    beforeEach(async () => {
      world = await makeWorld();
      ({ memory } = world);
    });
    afterEach(() => world[Symbol.asyncDispose]());

    test("returns an entry until it expires", async () => {
      const lifeMs = memoryLifeMs.rechargeToken;
      await memory.remember("rechargeToken", new Map([["token", "ana"]]));
      await world.advance(lifeMs - 5_000);
      expect(await memory.recall("rechargeToken", "token")).toBe("ana");
      await world.advance(5_000);
      expect(await memory.recall("rechargeToken", "token")).toBeNull();
    });

    test("replaces entries and their expiry, separately for each use and key", async () => {
      await memory.remember("priceListVisit", new Map([["ana", "first"]]));
      await world.advance(memoryLifeMs.priceListVisit - 5_000);
      await memory.remember(
        "priceListVisit",
        new Map([
          ["ana", "second"],
          ["bo", ""],
        ]),
      );
      await world.advance(memoryLifeMs.priceListVisit - 5_000);
      expect(await memory.recall("priceListVisit", "ana")).toBe("second");
      expect(await memory.recall("priceListVisit", "bo")).toBe("");
      expect(await memory.recall("priceListVisit", "cem")).toBeNull();
      expect(await memory.recall("foundPerson", "ana")).toBeNull();
    });

    test("accepts an empty set of entries", async () => {
      await memory.remember("foundPerson", new Map());
      expect(await memory.recall("foundPerson", "")).toBeNull();
    });
  });
}
