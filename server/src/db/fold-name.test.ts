import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestDatabase } from "#test/fixtures/database.ts";

const { db } = await createTestDatabase();

test("folds new and changed names of users, whatever their marks, case and script", async () => {
  await sql`
    insert into users (user_no, external_id, nickname, country_id)
    select (20000000 + n)::text, 'person ' || n, name, 1
    from unnest(${["ANA", "Işıl", "أحمد"]}::text[]) with ordinality as named (name, n)`.execute(db);
  const names = db.selectFrom("users").select("search_name").orderBy("id");
  expect((await names.execute()).map(({ search_name }) => search_name)).toEqual(["ana", "isil", "احمد"]);
  await sql`update users set nickname = 'Çiğdem' where nickname = 'ANA'`.execute(db);
  expect((await names.execute())[0]?.search_name).toBe("cigdem");
});

test("limits the folded name to 40 letters, whatever a sign decomposes into", async () => {
  const { rows } = await sql<{ folded: string }>`select fold_name(${"\ufdfa".repeat(40)}) as folded`.execute(db);
  expect(Array.from(rows[0]?.folded ?? "")).toHaveLength(40);
});
