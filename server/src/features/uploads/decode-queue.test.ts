import { expect, test } from "vitest";
import { DecodeQueue } from "./decode-queue.ts";

/** Work that a test ends by hand. */
function openWork() {
  let end: { resolve: () => void; reject: (error: Error) => void } | null = null;
  return {
    run: () => new Promise<void>((resolve, reject) => (end = { resolve, reject })),
    resolve: () => end?.resolve(),
    reject: (error: Error) => end?.reject(error),
    began: () => end !== null,
  };
}

test("[IMG-10] only so many run at once, the others in turn, also behind one that failed", async () => {
  const queue = new DecodeQueue({ atOnceMax: 2, waitingMax: 2 });
  const works = Array.from({ length: 4 }, openWork);
  const [first, second, third, fourth] = works as [Work, Work, Work, Work];
  const outcomes = works.map((work) => queue.run(work.run));
  expect(works.map((work) => work.began())).toEqual([true, true, false, false]);
  first.reject(new Error("damaged"));
  await expect(outcomes[0]).rejects.toThrow("damaged");
  expect(works.map((work) => work.began())).toEqual([true, true, true, false]);
  second.resolve();
  await outcomes[1];
  expect(fourth.began()).toBe(true);
  third.resolve();
  fourth.resolve();
  await Promise.all(outcomes.slice(2));
});

test("[IMG-10] one more than may wait is told to come back", async () => {
  const queue = new DecodeQueue({ atOnceMax: 1, waitingMax: 1 });
  const [first, second] = [openWork(), openWork()];
  const outcomes = [queue.run(first.run), queue.run(second.run)];
  await expect(queue.run(async () => undefined)).rejects.toMatchObject({ code: 429, data: { retry_after: 5 } });
  first.resolve();
  await outcomes[0];
  second.resolve();
  await outcomes[1];
  await queue.run(async () => undefined);
});

type Work = ReturnType<typeof openWork>;
