import { pino } from "pino";
import { expect, test } from "vitest";
import { Tasks } from "#lib/tasks.ts";
import { callKey, type Peers } from "#ports/peers.ts";
import { AwaitedCalls } from "./arrival.ts";

/** Resolves only once it is given up, as where a process reaches no other one. */
function reachesNobody() {
  const asked: { key: string; givenUp: AbortSignal }[] = [];
  const own: Peers["own"] = (key, givenUp) => {
    if (!givenUp) throw new Error("it could not be given up");
    asked.push({ key, givenUp });
    return new Promise((resolve) => {
      const lost = AbortSignal.abort();
      givenUp.addEventListener("abort", () => resolve({ lost, [Symbol.dispose]: () => undefined }));
    });
  };
  return { asked, own };
}

test("whoever is awaited no more before that is known anywhere is not asked for later", async () => {
  const peers = reachesNobody();
  await using tasks = new Tasks({ logger: pino({ level: "silent" }) });
  using awaited = new AwaitedCalls(peers, tasks);
  const known = awaited.add(7n);
  expect(awaited.add(7n)).toBe(known);
  expect(awaited.of(7n)).toBe(known);
  awaited.noMore(7n);
  expect(peers.asked.map(({ key, givenUp }) => [key, givenUp.aborted])).toEqual([[callKey(7n), true]]);
  expect((await known).lost.aborted).toBe(true);
  expect(awaited.of(7n)).toBeUndefined();
  // Awaited anew it is asked for anew.
  void awaited.add(7n);
  expect(peers.asked.map(({ givenUp }) => givenUp.aborted)).toEqual([true, false]);
});
