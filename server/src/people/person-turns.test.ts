import { expect, test } from "vitest";
import { PersonTurns } from "./person-turns.ts";

const [ana, bo] = [1n, 2n];

/** Says which of the two ways it was. */
const ways = { told: () => "told", readAgain: async () => "read again" };

test("what was read before a person's turn is told where nothing else was told meanwhile", async () => {
  const turns = new PersonTurns();
  await turns.run(ana, async () => undefined);
  const read = turns.beginEarlyRead(ana, {});
  await turns.run(bo, async () => undefined);
  expect(await turns.tell(read, ways)).toBe("told");
});

test("what was read before something else was told is read again, whenever that began", async () => {
  const turns = new PersonTurns();
  let end = (): void => undefined;
  const under = turns.run(ana, () => new Promise<void>((resolve) => (end = resolve)));
  const read = turns.beginEarlyRead(ana, {});
  const telling = turns.tell(read, ways);
  end();
  await under;
  expect(await telling).toBe("read again");
  const other = turns.beginEarlyRead(ana, {});
  await expect(turns.run(ana, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(turns.endEarlyRead(other)).toBe(false);
});

test("of one batch everything is told as it was read, until one of it had to be read again", async () => {
  const turns = new PersonTurns();
  const batch = {};
  const [one, two, three] = [batch, batch, {}].map((of) => turns.beginEarlyRead(ana, of));
  expect(await turns.tell(one!, ways)).toBe("told");
  expect(await turns.tell(two!, ways)).toBe("told");
  expect(await turns.tell(three!, ways)).toBe("read again");
  const [four, five] = [batch, batch].map((of) => turns.beginEarlyRead(ana, of));
  await turns.run(ana, async () => undefined);
  expect(await turns.tell(four!, ways)).toBe("read again");
  expect(await turns.tell(five!, ways)).toBe("read again");
});
