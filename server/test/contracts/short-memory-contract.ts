import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryLifeMs, type ShortMemory } from "#ports/short-memory.ts";

export interface ShortMemoryWorld extends AsyncDisposable {
  memory: ShortMemory;
  /** Lets time pass for what is remembered. */
  advance(ms: number): Promise<void>;
}

/** What everything that remembers for minutes must do; `makeWorld` starts an empty one for each test. */
export function shortMemoryContract(name: string, makeWorld: () => Promise<ShortMemoryWorld>): void {
  describe(`short memory: ${name}`, () => {
    let world: ShortMemoryWorld;
    let memory: ShortMemory;

    beforeEach(async () => {
      world = await makeWorld();
      ({ memory } = world);
    });
    afterEach(() => world[Symbol.asyncDispose]());

    test("a word about a key is recalled until its time is over, and no longer", async () => {
      const lifeMs = memoryLifeMs.rechargeToken;
      await memory.remember("rechargeToken", new Map([["token", "ana"]]));
      await world.advance(lifeMs - 5_000);
      expect(await memory.recall("rechargeToken", "token")).toBe("ana");
      await world.advance(5_000);
      expect(await memory.recall("rechargeToken", "token")).toBeNull();
    });

    test("the last word holds, from when it was said, and each use and key has its own", async () => {
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

    test("nothing to remember is remembered without a word", async () => {
      await memory.remember("foundPerson", new Map());
      expect(await memory.recall("foundPerson", "")).toBeNull();
    });
  });
}
