import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { type DecodeLimits, DecodeQueue } from "./decode-queue.ts";

const [ana, bo, cem, dia] = [1n, 2n, 3n, 4n];
const slowDown = { code: 429, data: { retry_after: 5 } };

function bench(limits: Partial<DecodeLimits> = {}) {
  const clock = new TestClock();
  const queue = new DecodeQueue(clock, { atOnceMax: 2, waitingMax: 32, waitMaxMs: 10_000, ...limits });
  const open = new Map<string, PromiseWithEnds>();
  const began: string[] = [];
  return {
    clock,
    began,
    /** Resolves to "done", or to the error of the rejected or failed work. */
    add: (userId: bigint, name: string): Promise<unknown> =>
      queue
        .run(userId, () => {
          began.push(name);
          const work = ends();
          open.set(name, work);
          return work.promise;
        })
        .then(
          () => "done",
          (error: unknown) => error,
        ),
    end: async (name: string, error?: Error): Promise<void> => {
      const work = open.get(name);
      if (!work) throw new Error(`${name} has not begun`);
      if (error) work.reject(error);
      else work.resolve();
      // The queue starts the next job in microtasks after the previous one.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

interface PromiseWithEnds {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

function ends(): PromiseWithEnds {
  let made: Omit<PromiseWithEnds, "promise"> | null = null;
  const promise = new Promise<void>((resolve, reject) => (made = { resolve, reject }));
  if (!made) throw new Error("a promise runs what it is given");
  return { promise, ...(made as Omit<PromiseWithEnds, "promise">) };
}

test("runs a limited number at once and the others in order, also after a failure", async () => {
  const { add, began, end } = bench();
  const outcomes = [ana, bo, cem, dia].map((userId) => add(userId, `of ${userId}`));
  expect(began).toEqual(["of 1", "of 2"]);
  const damaged = new Error("damaged");
  await end("of 1", damaged);
  expect(began).toEqual(["of 1", "of 2", "of 3"]);
  for (const name of ["of 2", "of 3", "of 4"]) await end(name);
  expect(await Promise.all(outcomes)).toEqual([damaged, "done", "done", "done"]);
});

test("runs one job per user at once, and takes turns between users", async () => {
  const { add, began, end } = bench();
  const all = ["a1", "a2", "a3", "a4"].map((name) => add(ana, name));
  expect(began).toEqual(["a1"]);
  all.push(...["b1", "b2"].map((name) => add(bo, name)), add(cem, "c1"), add(dia, "d1"));
  expect(began).toEqual(["a1", "b1"]);
  await end("a1");
  expect(began.slice(2)).toEqual(["c1"]);
  await end("b1");
  expect(began.slice(3)).toEqual(["d1"]);
  await end("c1");
  await end("d1");
  expect(began.slice(4)).toEqual(["a2", "b2"]);
  await end("b2");
  expect(began.slice(6)).toEqual([]);
  for (const name of ["a2", "a3", "a4"]) await end(name);
  expect(new Set(await Promise.all(all))).toEqual(new Set(["done"]));
});

test("rejects a job when the queue is full", async () => {
  const { add, end } = bench({ atOnceMax: 1, waitingMax: 2 });
  const outcomes = [add(ana, "a1"), add(ana, "a2"), add(bo, "b1")];
  expect(await add(ana, "a3")).toMatchObject(slowDown);
  expect(await add(cem, "c1")).toMatchObject(slowDown);
  for (const name of ["a1", "b1", "a2"]) await end(name);
  expect(await Promise.all(outcomes)).toEqual(["done", "done", "done"]);
});

test("makes a user with the most waiting jobs yield to a user with fewer when the queue is full", async () => {
  const { add, began, end } = bench({ atOnceMax: 1, waitingMax: 3 });
  const [first, second, third, fourth] = ["a1", "a2", "a3", "a4"].map((name) => add(ana, name));
  const other = add(bo, "b1");
  expect(await fourth).toMatchObject(slowDown);
  for (const name of ["a1", "b1", "a2", "a3"]) await end(name);
  expect(await Promise.all([first, second, third, other])).toEqual(["done", "done", "done", "done"]);
  expect(began).toEqual(["a1", "b1", "a2", "a3"]);
});

test("rejects a job after ten seconds of waiting, and does not decode it later", async () => {
  const { add, began, clock, end } = bench({ atOnceMax: 1 });
  const running = add(ana, "a1");
  const late = add(bo, "b1");
  clock.advance(1);
  const later = add(cem, "c1");
  clock.advance(9_999);
  expect(await late).toMatchObject(slowDown);
  await end("a1");
  await end("c1");
  expect(await Promise.all([running, later])).toEqual(["done", "done"]);
  expect([began, clock.pendingCount]).toEqual([["a1", "c1"], 0]);
});
