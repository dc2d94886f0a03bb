import { expect, test } from "vitest";
import { seededRandom } from "#test/fakes/random.ts";
import { IdTable } from "./matcher-records.ts";

test.each([11, 12, 13])("answers like a Map through every insertion and removal (seed %i)", (seed) => {
  const random = seededRandom(seed);
  const entriesMax = 50;
  const table = new IdTable(entriesMax);
  const map = new Map<number, number>();
  // Close, large and very large ids, so that probe chains form and wrap around.
  const ids = [...Array(60).keys()].flatMap((index) => [index + 1, 2 ** 31 + index * 16, 2 ** 40 + index]);
  for (let step = 1; step <= 5_000; step += 1) {
    const id = ids[random.integer(0, ids.length - 1)]!;
    if (map.has(id) || map.size === entriesMax) {
      table.delete(id);
      map.delete(id);
    } else {
      table.set(id, step);
      map.set(id, step);
    }
    expect(ids.filter((each) => table.get(each) !== (map.get(each) ?? 0))).toEqual([]);
  }
});
