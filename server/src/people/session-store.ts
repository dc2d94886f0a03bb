import { type Kysely, sql, type Transaction } from "kysely";
import type { LRUCache } from "lru-cache";
import type { SessionEndReason } from "@fava/wire/codes.ts";
import { prepared } from "#db/prepared.ts";
import type { Database } from "#db/schema.ts";
import type { Authentication } from "#ports/authentication.ts";
import { boundedCache, type SharedUserCache } from "#lib/cache.ts";
import { Emitter } from "#lib/emitter.ts";
import type { Clock } from "#ports/clock.ts";

export interface SessionRow {
  id: string;
  user_id: bigint;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  end_reason: string | null;
  external_id: string;
  role: number;
  sex: number;
  birthday: string | null;
  language: string;
}

export interface BanRow {
  id: bigint;
  user_no: string;
  reason_id: number;
  language: string;
  until: Date | null;
  created_at: Date;
  decided_by: bigint | null;
  is_provisional: boolean;
  rule: string | null;
  strike: number;
  strike_until: Date | null;
  ended_early_at: Date | null;
  ended_because: string | null;
  call_at: Date | null;
  reports: bigint | null;
}

const sessionColumns = [
  "sessions.id",
  "sessions.user_id",
  "sessions.created_at",
  "sessions.last_seen_at",
  "sessions.expires_at",
  "sessions.end_reason",
  "users.external_id",
  "users.role",
  "users.sex",
  "users.birthday",
  "users.language",
] as const;

type Db = Kysely<Database>;

/** The session, also an ended one. `is_banned`: whether a ban is in force at `at`. */
export async function sessionByTokenHash(
  db: Db,
  tokenHash: string,
  at: Date,
): Promise<(SessionRow & { is_banned: boolean }) | undefined> {
  const { rows } = await sql<SessionRow & { is_banned: boolean }>`
    ${prepared("session_by_token")} select
      ${sql.join(sessionColumns.map((column) => sql.ref(column)))}, coalesce(banned_until > ${at}, false) as is_banned
    from sessions
    join users on users.id = sessions.user_id
    left join standing on standing.user_id = sessions.user_id
    where token_hash = ${tokenHash}`.execute(db);
  return rows[0];
}

export function liveSessionById(db: Db, sessionId: string): Promise<SessionRow | undefined> {
  return db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select(sessionColumns)
    .where("sessions.id", "=", sessionId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
}

/** Commits without waiting for the disk. If the database crashes, only the time of last use is lost. */
export async function touchSession(db: Db, sessionId: string, seen: { at: Date; expiresAt: Date }): Promise<void> {
  await sql`
    ${prepared("touch_session")} with lazy as materialized (select set_config('synchronous_commit', 'off', true))
    update sessions set last_seen_at = ${seen.at}, expires_at = ${seen.expiresAt} from lazy
    where id = ${sessionId} and ended_at is null`.execute(db);
}

export async function setLanguage(db: Db, userId: bigint, language: string): Promise<void> {
  await db.updateTable("users").set({ language }).where("id", "=", userId).execute();
}

/** Ends the live sessions of a user, who by the unique index has at most one. Returns their ids. */
export async function endLiveSessions(
  db: Db,
  userId: bigint,
  end: { reason: EndedSession["reason"]; at: Date; sessionId?: string },
): Promise<string[]> {
  let update = db
    .updateTable("sessions")
    .set({ ended_at: end.at, end_reason: end.reason })
    .where("user_id", "=", userId)
    .where("ended_at", "is", null);
  if (end.sessionId !== undefined) update = update.where("id", "=", end.sessionId);
  const ended = await update.returning("id").execute();
  return ended.map(({ id }) => id);
}

/** Marks expired sessions as ended at the time of their expiry, even if their users never return. */
export async function endExpired(db: Db, at: Date): Promise<void> {
  await db
    .updateTable("sessions")
    .set((row) => ({ ended_at: row.ref("expires_at"), end_reason: "expired" }))
    .where("ended_at", "is", null)
    .where("expires_at", "<=", at)
    .execute();
}

export async function insertSession(
  trx: Transaction<Database>,
  session: {
    id: string;
    user_id: bigint;
    token_hash: string;
    source: number;
    ip: string;
    user_agent: string;
    language: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
  },
): Promise<void> {
  await trx.insertInto("sessions").values(session).execute();
}

/** Of the user's bans in force, the one that ends last. */
export async function banInForce(db: Db, userId: bigint, at: Date): Promise<BanRow | undefined> {
  const ban = await bansWithFacts(db)
    .where("bans.user_id", "=", userId)
    .where("bans.ended_early_at", "is", null)
    .where((where) => where.or([where("bans.until", "is", null), where("bans.until", ">", at)]))
    .orderBy("bans.until", (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  return ban && withCallTime(db, ban);
}

export async function banById(db: Db, banId: bigint): Promise<BanRow | undefined> {
  const ban = await bansWithFacts(db).where("bans.id", "=", banId).executeTakeFirst();
  return ban && withCallTime(db, ban);
}

/** Reads the call by id. In a join, the planner would scan each day's table of calls at every sign-in. */
async function withCallTime(db: Db, ban: Omit<BanRow, "call_at"> & KeptCall): Promise<BanRow> {
  const { call_id, call_at, ...facts } = ban;
  if (call_at !== null || call_id === null) return { ...facts, call_at };
  const call = await db.selectFrom("calls").select("matched_at").where("id", "=", call_id).executeTakeFirst();
  return { ...facts, call_at: call?.matched_at ?? null };
}

interface KeptCall {
  call_id: string | null;
  /** When the call was matched; stored before the table of its day is dropped. */
  call_at: Date | null;
}

export function userOfBan(db: Db, banId: bigint) {
  return db
    .selectFrom("bans")
    .innerJoin("users", "users.id", "bans.user_id")
    .select(["users.id", "users.external_id", "users.sex", "users.birthday", "users.language"])
    .where("bans.id", "=", banId)
    .where("users.erased_at", "is", null)
    .executeTakeFirst();
}

function bansWithFacts(db: Db) {
  return db
    .selectFrom("bans")
    .innerJoin("users", "users.id", "bans.user_id")
    .leftJoin("strikes", "strikes.ban_id", "bans.id")
    .select([
      "bans.id",
      "users.user_no",
      "bans.reason_id",
      "users.language",
      "bans.until",
      "bans.created_at",
      "bans.decided_by",
      "bans.is_provisional",
      "bans.rule",
      "bans.strike",
      "bans.ended_early_at",
      "bans.ended_because",
      "strikes.expires_at as strike_until",
      "bans.call_id",
      "bans.call_at",
    ])
    .select((row) =>
      row
        .selectFrom("reports")
        .select((count) => count.fn.countAll<bigint>().as("reports"))
        .whereRef("reports.case_id", "=", "bans.case_id")
        .as("reports"),
    );
}

/** For the reason `banned`, the user sees a ban notice. */
export interface EndedSession {
  sessionId: string;
  userId: bigint;
  reason: SessionEndReason | "banned";
}

/** How long a session is cached. `last_seen_at` is written as often. */
export const sessionCacheMs = 60_000;

/** Caches live sessions by token hash, so that a signed request costs no query. */
export class SessionCache implements SharedUserCache {
  readonly #byToken: LRUCache<string, Extract<Authentication, { kind: "live" }>>;
  readonly #tokenOfUser = new Map<bigint, string>();
  readonly #forgotten = new Emitter<[userId: bigint]>();
  #generation = 0;

  constructor(clock: Clock, sessionsMax: number) {
    this.#byToken = boundedCache({
      entriesMax: sessionsMax,
      expiry: { clock, ttlMs: sessionCacheMs },
      dispose: ({ session: { userId } }, tokenHash) => {
        if (this.#tokenOfUser.get(userId) === tokenHash) this.#tokenOfUser.delete(userId);
      },
    });
  }

  /** The cached session, or the result of `read`. Caches only live sessions. */
  async get(tokenHash: string, read: () => Promise<Authentication>): Promise<Authentication> {
    const live = this.#byToken.get(tokenHash);
    if (live) return live;
    const generation = this.#generation;
    const result = await read();
    // A session that was invalidated during the read may be this one, so the result is not cached.
    if (result.kind === "live" && generation === this.#generation) {
      this.#byToken.set(tokenHash, result);
      this.#tokenOfUser.set(result.session.userId, tokenHash);
    }
    return result;
  }

  forget(userId: bigint): void {
    this.drop(userId);
    this.#forgotten.emit(userId);
  }

  onForgotten(listener: (userId: bigint) => void): Disposable {
    return this.#forgotten.on(listener);
  }

  dropAll(): void {
    this.#generation += 1;
    this.#byToken.clear();
  }

  drop(userId: bigint): void {
    this.#generation += 1;
    const tokenHash = this.#tokenOfUser.get(userId);
    if (tokenHash !== undefined) this.#byToken.delete(tokenHash);
  }
}

export async function endedAmong(db: Db, sessionIds: readonly string[]): Promise<EndedSession[]> {
  const rows = await db
    .selectFrom("sessions")
    .select(["id", "user_id", "end_reason"])
    .where("id", "in", sessionIds)
    .where("ended_at", "is not", null)
    .execute();
  return rows.map(({ id, user_id, end_reason }) => ({
    sessionId: id,
    userId: user_id,
    reason: (end_reason ?? "expired") as EndedSession["reason"],
  }));
}
