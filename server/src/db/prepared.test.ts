import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { prepared } from "./prepared.ts";

test("plans a prepared statement once per connection, whatever its parameters", async () => {
  const { db } = await createTestDatabase({ migrated: false });
  const double = (value: number) => sql<{ twice: number }>`${prepared("double")} select 2 * ${value}::integer as twice`;
  await db.connection().execute(async (connection) => {
    expect((await double(3).execute(connection)).rows).toEqual([{ twice: 6 }]);
    expect((await double(4).execute(connection)).rows).toEqual([{ twice: 8 }]);
    await sql`select 1`.execute(connection);
    const kept = await sql`select name, generic_plans + custom_plans as runs from pg_prepared_statements`.execute(
      connection,
    );
    expect(kept.rows).toEqual([{ name: "double", runs: 2n }]);
    await expect(sql`${prepared("double")} select 1`.execute(connection)).rejects.toThrow("must be unique");
  });
});
