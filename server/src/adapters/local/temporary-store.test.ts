import { expect, test } from "vitest";
import { temporaryStoreContract } from "#test/contracts/temporary-store-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { LocalTemporaryStore } from "./temporary-store.ts";

temporaryStoreContract("in memory", async () => {
  const clock = new TestClock();
  return {
    memory: new LocalTemporaryStore({ clock }),
    advance: async (ms) => clock.advance(ms),
    [Symbol.asyncDispose]: async () => undefined,
  };
});

test("limits its memory: drops the least recently used entry of the same kind", async () => {
  const memory = new LocalTemporaryStore({ clock: new TestClock(), wordsMax: 2 });
  await memory.remember("rechargeToken", new Map([["token", "ana"]]));
  await memory.remember(
    "foundPerson",
    new Map([
      ["a", "1"],
      ["b", "2"],
      ["c", "3"],
    ]),
  );
  const recalled = await Promise.all(["a", "b", "c"].map((key) => memory.recall("foundPerson", key)));
  expect(recalled).toEqual([null, "2", "3"]);
  expect(await memory.recall("rechargeToken", "token")).toBe("ana");
});
