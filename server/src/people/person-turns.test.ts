import { expect, test } from "vitest";
import { UserPushQueue } from "./person-turns.ts";

const [ana, bo] = [1n, 2n];

/** Tell which of the two ways was taken. */
const ways = { told: () => "told", readAgain: async () => "read again" };

test("uses an early read if nothing was sent to the user in between", async () => {
  const turns = new UserPushQueue();
  await turns.run(ana, async () => undefined);
  const read = turns.beginEarlyRead(ana, {});
  await turns.run(bo, async () => undefined);
  expect(await turns.runWithRead(read, ways)).toBe("told");
});

test("reads again if something was sent after the early read began", async () => {
  const turns = new UserPushQueue();
  let end = (): void => undefined;
  const under = turns.run(ana, () => new Promise<void>((resolve) => (end = resolve)));
  const read = turns.beginEarlyRead(ana, {});
  const telling = turns.runWithRead(read, ways);
  end();
  await under;
  expect(await telling).toBe("read again");
  const other = turns.beginEarlyRead(ana, {});
  await expect(turns.run(ana, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(turns.endEarlyRead(other)).toBe(false);
});

test("uses all early reads of a batch until one of them had to be repeated", async () => {
  const turns = new UserPushQueue();
  const batch = {};
  const [one, two, three] = [batch, batch, {}].map((of) => turns.beginEarlyRead(ana, of));
  expect(await turns.runWithRead(one!, ways)).toBe("told");
  expect(await turns.runWithRead(two!, ways)).toBe("told");
  expect(await turns.runWithRead(three!, ways)).toBe("read again");
  const [four, five] = [batch, batch].map((of) => turns.beginEarlyRead(ana, of));
  await turns.run(ana, async () => undefined);
  expect(await turns.runWithRead(four!, ways)).toBe("read again");
  expect(await turns.runWithRead(five!, ways)).toBe("read again");
});
