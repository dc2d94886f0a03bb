import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { BatchSender, type BatchSenderLimits } from "./batch-sender.ts";

class Undone extends Error {}

/** A database that answers when the test says so. Orders have the form "<person> <what>". */
class Counter {
  readonly calls: (readonly (readonly string[])[])[] = [];
  readonly alone: string[] = [];
  readonly #answers: ((how: "done" | "left" | Error) => void)[] = [];

  together = (rounds: readonly (readonly string[])[]): Promise<(string | null)[][]> => {
    this.calls.push(rounds);
    return new Promise((resolve, reject) => {
      this.#answers.push((how) => {
        if (how instanceof Error) reject(how);
        else resolve(rounds.map((round) => round.map((order) => (how === "done" ? `${order} together` : null))));
      });
    });
  };

  async answer(how: "done" | "left" | Error = "done"): Promise<void> {
    this.#answers.shift()?.(how);
    // The answer has its effects in the next turn of the event loop.
    await setImmediate();
    await setImmediate();
  }

  batchSender(limits: Partial<BatchSenderLimits> = {}): BatchSender<string, string> {
    return new BatchSender({
      claimsOf: (order) => [order.split(" ")[0]],
      together: this.together,
      alone: (order) => {
        this.alone.push(order);
        return order.endsWith("bad") ? Promise.reject(new Error(order)) : Promise.resolve(`${order} alone`);
      },
      isUndone: (error) => error instanceof Undone,
      full: () => new Error("full"),
      limits: { ordersMax: 3, roundsMax: 2, callsMax: 1, aloneMax: 2, waitingMax: 6, ...limits },
    });
  }
}

test("puts orders of one turn into one call, and those that come meanwhile into the next", async () => {
  const counter = new Counter();
  const batchSender = counter.batchSender();
  const first = ["ana 1", "bo 1"].map((order) => batchSender.add(order));
  await setImmediate();
  const second = ["cy 1", "di 1", "ed 1", "flo 1"].map((order) => batchSender.add(order));
  await setImmediate();
  expect(counter.calls).toEqual([[["ana 1", "bo 1"]]]);
  await counter.answer();
  expect(await Promise.all(first)).toEqual(["ana 1 together", "bo 1 together"]);
  await counter.answer();
  await counter.answer();
  expect(counter.calls.slice(1)).toEqual([[["cy 1", "di 1", "ed 1"]], [["flo 1"]]]);
  expect(await Promise.all(second)).toHaveLength(4);
  expect(counter.alone).toEqual([]);
});

test("puts the orders of one key into rounds of one call, and into no simultaneous call", async () => {
  const counter = new Counter();
  const batchSender = counter.batchSender({ callsMax: 2, ordersMax: 5 });
  const orders = ["ana 1", "ana 2", "bo 1", "ana 3", "ana 4", "bo 2"];
  const answers = orders.map((order) => batchSender.add(order));
  await setImmediate();
  const rounds = [
    ["ana 1", "bo 1"],
    ["ana 2", "bo 2"],
  ];
  expect(counter.calls).toEqual([rounds]);
  await counter.answer("left");
  expect(counter.alone).toEqual(["ana 1", "bo 1", "ana 2", "bo 2"]);
  expect(counter.calls.slice(1)).toEqual([[["ana 3"], ["ana 4"]]]);
  await counter.answer();
  const last = ["ana 3 together", "ana 4 together", "bo 2 alone"];
  expect(await Promise.all(answers)).toEqual(["ana 1 alone", "ana 2 alone", "bo 1 alone", ...last]);
});

test("runs each order of an undone call alone, so that it fails alone", async () => {
  const counter = new Counter();
  const batchSender = counter.batchSender();
  const answers = Promise.allSettled(["ana 1", "bo bad", "cy 1"].map((order) => batchSender.add(order)));
  await setImmediate();
  await counter.answer(new Undone());
  expect((await answers).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("fails all orders of a call with an unknown outcome, without a retry", async () => {
  const counter = new Counter();
  const batchSender = counter.batchSender();
  const answers = Promise.allSettled(["ana 1", "bo 1"].map((order) => batchSender.add(order)));
  await setImmediate();
  const later = batchSender.add("ana 2");
  await counter.answer(new Error("connection lost"));
  for (const answer of await answers) expect(answer).toMatchObject({ reason: { message: "connection lost" } });
  expect(counter.alone).toEqual([]);
  await counter.answer();
  expect(await later).toBe("ana 2 together");
});

test("rejects orders above the maximum, and accepts more when others are done", async () => {
  const counter = new Counter();
  const batchSender = counter.batchSender();
  const answers = Array.from({ length: 6 }, (_, index) => batchSender.add(`person${index} 1`));
  await expect(batchSender.add("late 1")).rejects.toThrow("full");
  await setImmediate();
  const later = batchSender.add("late 1");
  for (let call = 0; call < 3; call += 1) await counter.answer();
  expect(await Promise.all([...answers, later])).toHaveLength(7);
});
