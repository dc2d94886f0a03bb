import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { runMigrations } from "graphile-worker";
import { CompiledQuery, type Kysely, Migrator, sql } from "kysely";
import type pg from "pg";
import { silentEngineLog } from "./job-engine.ts";
import type { Database } from "./schema.ts";

/** Files of the baseline; each follows the files whose tables it references. */
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
  "operator",
] as const;

/** Arbitrary; 4_718_230_591 and 592 are used in embedded.ts and server-lock.ts. */
const engineLockId = 4_718_230_593;

/** The oldest PostgreSQL that `npm test` runs the tests of the database on. */
export const postgresMajorMin = 15;

export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Each migration has its own transaction; safe on several servers at once.
 * @returns the names of the applied migrations.
 * @param majorMin the oldest version of PostgreSQL to accept.
 * @throws MigrationError for a too old PostgreSQL, for a database of another version, or with the name of the failed
 * migration; then nothing has changed.
 */
export async function migrate(db: Kysely<Database>, majorMin = postgresMajorMin): Promise<readonly string[]> {
  await requirePostgres(db, majorMin);
  const migrations = baseline();
  const foreign = await foreignMigration(db, Object.keys(migrations));
  if (foreign !== undefined) {
    throw new MigrationError(
      `the database belongs to another version of Fava: it has the migration "${foreign}", which this version does not know. Nothing was changed. Start the version that made it, or set DATABASE_URL or DATA_DIR to an empty database (docs/operations/update.md)`,
    );
  }
  await migrateEngine(db);
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw failure(error, results.find(({ status }) => status === "Error")?.migrationName);
  return results.map(({ migrationName }) => migrationName);
}

async function requirePostgres(db: Kysely<Database>, majorMin: number): Promise<void> {
  const { rows } = await sql<{ major: number }>`
    select current_setting('server_version_num')::integer / 10000 as major`.execute(db);
  const major = rows[0]?.major ?? 0;
  if (major >= majorMin) return;
  throw new MigrationError(
    `the database is PostgreSQL ${major}, and Fava needs ${majorMin} or newer. Nothing was changed. Update it, or set DATABASE_URL to another one (docs/operations/update.md)`,
  );
}

function failure(error: unknown, failed: string | undefined): MigrationError {
  const message = error instanceof Error ? error.message : JSON.stringify(error);
  return new MigrationError(`the database could not be migrated${failed ? ` (${failed})` : ""}: ${message}`, {
    cause: error,
  });
}

async function migrateEngine(db: Kysely<Database>): Promise<void> {
  await db.connection().execute(async (connection) => {
    // The engine expects a pool of the driver; this one has the single connection of the query builder.
    const query = (asked: string | { text: string; values?: unknown[] }, values: unknown[] = []) => {
      const statement = typeof asked === "string" ? { text: asked, values } : asked;
      return connection.executeQuery(CompiledQuery.raw(statement.text, statement.values ?? values));
    };
    const client = { query, release: () => undefined };
    const pgPool = { connect: async () => client, on: () => undefined, removeListener: () => undefined };
    // Two servers that start at once would both create the schema.
    await query("select pg_advisory_lock($1)", [engineLockId]);
    try {
      await runMigrations({ pgPool: pgPool as unknown as pg.Pool, logger: silentEngineLog });
    } catch (error) {
      throw failure(error, "graphile_worker");
    } finally {
      await query("select pg_advisory_unlock($1)", [engineLockId]);
    }
  });
}

/** The files of the first release may still change, so the migration's name contains their checksum. */
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

/** The newest migration in the database that this version does not know. */
async function foreignMigration(db: Kysely<Database>, own: readonly string[]): Promise<string | undefined> {
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (tables.length === 0) return undefined;
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name <> all (${own}) order by name desc limit 1`.execute(db);
  return rows[0]?.name;
}
