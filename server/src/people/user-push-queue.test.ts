import { expect, test } from "vitest";
import { UserPushQueue } from "./user-push-queue.ts";

const [ana, bo] = [1n, 2n];

const paths = { fresh: () => "fresh", stale: async () => "stale" };

test("uses an early read if nothing was sent to the user in between", async () => {
  const queue = new UserPushQueue();
  await queue.run(ana, async () => undefined);
  const read = queue.beginEarlyRead(ana, {});
  await queue.run(bo, async () => undefined);
  expect(await queue.runWithRead(read, paths)).toBe("fresh");
});

test("reads again if something was sent after the early read began", async () => {
  const queue = new UserPushQueue();
  let end = (): void => undefined;
  const under = queue.run(ana, () => new Promise<void>((resolve) => (end = resolve)));
  const read = queue.beginEarlyRead(ana, {});
  const pushing = queue.runWithRead(read, paths);
  end();
  await under;
  expect(await pushing).toBe("stale");
  const other = queue.beginEarlyRead(ana, {});
  await expect(queue.run(ana, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(queue.endEarlyRead(other)).toBe(false);
});

test("uses all early reads of a batch until one of them had to be repeated", async () => {
  const queue = new UserPushQueue();
  const batch = {};
  const [one, two, three] = [batch, batch, {}].map((of) => queue.beginEarlyRead(ana, of));
  expect(await queue.runWithRead(one!, paths)).toBe("fresh");
  expect(await queue.runWithRead(two!, paths)).toBe("fresh");
  expect(await queue.runWithRead(three!, paths)).toBe("stale");
  const [four, five] = [batch, batch].map((of) => queue.beginEarlyRead(ana, of));
  await queue.run(ana, async () => undefined);
  expect(await queue.runWithRead(four!, paths)).toBe("stale");
  expect(await queue.runWithRead(five!, paths)).toBe("stale");
});
