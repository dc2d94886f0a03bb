import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Kysely, Migrator, sql } from "kysely";
import type { Database } from "./schema.ts";

/** The files of the baseline, each after those whose tables it refers to. */
const domains = [
  "people",
  "calls",
  "beans",
  "gathered-beans",
  "shop",
  "relations",
  "messages",
  "moderation",
  "standing",
  "servers",
] as const;

/** The database cannot be brought to the tables of this version. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Brings the tables up to date, each migration in a transaction of its own; several processes may try at once.
 *
 * @returns the names of the migrations that ran.
 * @throws MigrationError for a database of another version, or naming the migration that failed; then nothing has changed.
 */
export async function migrate(db: Kysely<Database>): Promise<readonly string[]> {
  const migrations = baseline();
  const foreign = await foreignMigration(db, Object.keys(migrations));
  if (foreign !== undefined) {
    throw new MigrationError(
      `the database belongs to another version of Fava: it has the migration "${foreign}", which this version does not know. Nothing was changed. Start the version that made it, or set DATABASE_URL or DATA_DIR to an empty database (docs/operations.md, Update)`,
    );
  }
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results.find(({ status }) => status === "Error")?.migrationName;
    const message = error instanceof Error ? error.message : JSON.stringify(error);
    throw new MigrationError(`the database could not be migrated${failed ? ` (${failed})` : ""}: ${message}`, {
      cause: error,
    });
  }
  return results.map(({ migrationName }) => migrationName);
}

/** All tables of the first release. Until then the files are edited, so that the name carries their checksum. */
function baseline() {
  const texts = domains.map((domain) =>
    readFileSync(new URL(`./migrations/0001-baseline/${domain}.sql`, import.meta.url), "utf8"),
  );
  const checksum = createHash("sha256").update(texts.join("")).digest("hex").slice(0, 12);
  return {
    [`0001-baseline-${checksum}`]: {
      up: async (db: Kysely<unknown>) => {
        for (const text of texts) await sql.raw(text).execute(db);
      },
    },
  };
}

/** The newest migration in the database that this version does not have. */
async function foreignMigration(db: Kysely<Database>, own: readonly string[]): Promise<string | undefined> {
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (tables.length === 0) return undefined;
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name <> all (${own}) order by name desc limit 1`.execute(db);
  return rows[0]?.name;
}
