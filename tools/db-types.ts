import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import { migrate } from "@fava/server/db/migrate.ts";
import { openDatabase } from "@fava/server/db/pool.ts";
import { schemaTypes } from "@fava/server/test/fixtures/schema-types.ts";

/** `npm run db:types`: writes the types of the tables from a temporary PostgreSQL with all migrations. */
const target = join(import.meta.dirname, "../server/src/db/schema.ts");
const directory = mkdtempSync(join(tmpdir(), `fava-types-${process.pid}-`));
try {
  await using server = await startEmbedded({ directory, durable: false, log: () => undefined });
  await using database = openDatabase(server.url, { max: 1 });
  await migrate(database.jobs);
  writeFileSync(target, await schemaTypes(database.jobs));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
