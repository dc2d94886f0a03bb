import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
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

type Migrations = Readonly<Record<string, { up: (db: Kysely<unknown>) => Promise<void> }>>;

/**
 * Each migration has its own transaction; safe on several servers at once. A newer schema that allows servers of this
 * version stays as it is.
 * @returns the names of the applied migrations.
 * @param options.majorMin the oldest version of PostgreSQL to accept.
 * @throws MigrationError for a too old PostgreSQL, for a schema that this version cannot use, or with the name of the
 * failed migration; then nothing has changed.
 */
export async function migrate(
  db: Kysely<Database>,
  { majorMin = postgresMajorMin, migrations = ownMigrations() }: { majorMin?: number; migrations?: Migrations } = {},
): Promise<readonly string[]> {
  await requirePostgres(db, majorMin);
  const own = Object.keys(migrations);
  const applied = await appliedMigrations(db);
  const refusal = refusalOf(applied, own);
  if (refusal !== null) throw new MigrationError(refusal);
  if (applied.some((name) => !own.includes(name))) return [];
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

const folder = new URL("./migrations/", import.meta.url);

/** The baseline, and a file `NNNN-name.sql` or `NNNN-name.fits-NNNN.sql` for each later change, by number. */
export function ownMigrations(): Migrations {
  const later = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  const entries = later.map((name) => [name.replace(/\.sql$/, ""), migrationOf([readText(name)])] as const);
  return { ...baseline(), ...Object.fromEntries(entries) };
}

/** The schema of 1.0.0. Its name contains a checksum, so that databases of versions before 1.0.0 are refused. */
function baseline(): Migrations {
  const texts = domains.map((domain) => readText(`0001-baseline/${domain}.sql`));
  const checksum = createHash("sha256").update(texts.join("")).digest("hex").slice(0, 12);
  return { [`0001-baseline-${checksum}`]: migrationOf(texts) };
}

function readText(name: string): string {
  return readFileSync(new URL(name, folder), "utf8");
}

function migrationOf(texts: readonly string[]): Migrations[string] {
  return {
    up: async (db) => {
      for (const text of texts) await sql.raw(text).execute(db);
    },
  };
}

export async function appliedMigrations(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Why a version with these migrations cannot use a database; null if it can. `.fits-NNNN` at the end of a migration's
 * name says that servers whose newest migration is NNNN or later can use its schema.
 */
export function refusalOf(applied: readonly string[], own: readonly string[]): string | null {
  const foreign = applied.filter((name) => !own.includes(name));
  const newest = own.reduce((most, name) => Math.max(most, numberOf(name)), 0);
  const isNewer = own.every((name) => applied.includes(name));
  const unfit = foreign.findLast((name) => !isNewer || !(Number(/\.fits-(\d{4})$/.exec(name)?.[1]) <= newest));
  if (unfit === undefined) return null;
  if (isNewer && numberOf(unfit) > newest) {
    return `the database has the newer schema "${unfit}", which this version of Fava cannot use. Nothing was changed. Start the version that made it, or restore the backup from before that update (docs/operations/update.md)`;
  }
  return `the database belongs to another version of Fava: it has the migration "${unfit}", which this version does not know. Nothing was changed. Start the version that made it, or set DATABASE_URL or DATA_DIR to an empty database (docs/operations/update.md)`;
}

function numberOf(name: string): number {
  return Number(name.slice(0, 4));
}
