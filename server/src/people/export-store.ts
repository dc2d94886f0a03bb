import { type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { ProcessId } from "#ports/room-claims.ts";

type Db = Kysely<Database>;
export type ExportRow = Selectable<Database["data_exports"]>;

/** One run of an export. Its start distinguishes it from later runs of the same user. */
export interface ExportRun {
  userId: bigint;
  begunAt: Date;
}

export function exportOf(db: Db, userId: bigint): Promise<ExportRow | undefined> {
  return db.selectFrom("data_exports").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/** Stores a new run. False if another run is preparing. `owner`: the server that prepares it. */
export async function beginExport(db: Db, { userId, begunAt }: ExportRun, owner: ProcessId): Promise<boolean> {
  const fresh = {
    owner,
    state: "preparing" as const,
    percent: 0,
    file_key: null,
    size_bytes: null,
    begun_at: begunAt,
    until: null,
  };
  const begun = await db
    .insertInto("data_exports")
    .values({ user_id: userId, ...fresh })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet(fresh).where("data_exports.state", "<>", "preparing"),
    )
    .returning("user_id")
    .executeTakeFirst();
  return begun !== undefined;
}

/** False if the run is not preparing. */
export async function changeRun(
  db: Db,
  { userId, begunAt }: ExportRun,
  change: Partial<Pick<ExportRow, "state" | "percent" | "file_key" | "size_bytes" | "until">>,
): Promise<boolean> {
  const changed = await db
    .updateTable("data_exports")
    .set(change)
    .where("user_id", "=", userId)
    .where("begun_at", "=", begunAt)
    .where("state", "=", "preparing")
    .returning("user_id")
    .executeTakeFirst();
  return changed !== undefined;
}

export async function failBegunBefore(db: Db, before: Date): Promise<void> {
  await db
    .updateTable("data_exports")
    .set({ state: "failed" })
    .where("state", "=", "preparing")
    .where("begun_at", "<=", before)
    .execute();
}

export async function failAbandoned(db: Db): Promise<void> {
  await sql`
    update data_exports set state = 'failed'
    where state = 'preparing'
      and not exists (select from processes where processes.id = data_exports.owner and dead_at is null)`.execute(db);
}

export async function staleFiles(db: Db, at: Date): Promise<string[]> {
  const rows = await db
    .selectFrom("data_exports")
    .select("file_key")
    .where((where) => where.or([where("state", "=", "failed"), where("until", "<=", at)]))
    .execute();
  return keysOf(rows);
}

/** Removes the key of a deleted file, or the whole row if the export has expired. */
export async function forgetStaleFile(db: Db, fileKey: string, at: Date): Promise<void> {
  await db.deleteFrom("data_exports").where("file_key", "=", fileKey).where("until", "<=", at).execute();
  await db
    .updateTable("data_exports")
    .set({ file_key: null })
    .where("file_key", "=", fileKey)
    .where("state", "=", "failed")
    .execute();
}

export async function takeExportOf(db: Db, userId: bigint): Promise<string[]> {
  return keysOf(await db.deleteFrom("data_exports").where("user_id", "=", userId).returning("file_key").execute());
}

/** When the export of this file began; undefined if the file may not be downloaded. */
export async function begunAtOfFile(db: Db, fileKey: string, at: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom("data_exports")
    .innerJoin("users", "users.id", "data_exports.user_id")
    .select("begun_at")
    .where("file_key", "=", fileKey)
    .where("state", "=", "ready")
    .where("until", ">", at)
    .where("users.deleted_at", "is", null)
    .executeTakeFirst();
  return row?.begun_at;
}

function keysOf(rows: readonly { file_key: string | null }[]): string[] {
  return rows.flatMap(({ file_key }) => file_key ?? []);
}
