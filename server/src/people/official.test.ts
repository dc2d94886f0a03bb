import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { ensureOfficial } from "./official.ts";

test("creates the official account once, however often and at once the server starts", async () => {
  const { db } = await createTestDatabase();
  const start = () =>
    ensureOfficial({ db, clock: new TestClock(), random: seededRandom(1), email: "help@example.com" });
  const [one, other] = await Promise.all([start(), start()]);
  expect(other).toEqual(one);
  expect(await start()).toEqual(one);
  const rows = await db.selectFrom("users").select(["id", "official", "searchable", "role"]).execute();
  expect(rows).toEqual([{ id: one.userId, official: true, searchable: false, role: 0 }]);
  expect(await db.selectFrom("identities").selectAll().execute()).toEqual([]);
});
