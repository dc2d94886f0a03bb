import { expect, test } from "vitest";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { setupState } from "./setup.ts";

test("lists what the settings lack, the first moderator, and the legal texts, which no server can check", async () => {
  await using database = await createTestDatabase();
  const configured = { identity: true, payments: false, contact: true, relay: false, mail: false };
  const done = async () =>
    (await setupState(database.db, configured)).items.flatMap(({ item, is_done: isDone }) => (isDone ? [item] : []));
  expect(await done()).toEqual(["identity", "contact"]);
  await database.pool.query(
    "insert into users (user_no, external_id, nickname, country_id, role) values ('10000001', 'x', 'Mia', 18, 2)",
  );
  expect(await done()).toEqual(["identity", "contact", "moderators"]);
});
