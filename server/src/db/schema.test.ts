import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { schemaTypes } from "#test/fixtures/schema-types.ts";

const { db } = await createTestDatabase();

test("has the types of a freshly migrated database", async () => {
  const written = readFileSync(new URL("schema.ts", import.meta.url), "utf8");
  expect(written, "out of date: run `npm run db:types`").toBe(await schemaTypes(db));
});
