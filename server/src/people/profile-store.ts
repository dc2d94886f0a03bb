import type { ServerSecret } from "#lib/server-secret.ts";
import type { Kysely, Selectable, Updateable } from "kysely";
import type { CalendarDay } from "@fava/wire/age.ts";
import type { MatchFilters } from "@fava/wire/beans.ts";
import type { OwnTalk } from "@fava/wire/talk.ts";
import type { Database } from "#db/schema.ts";

export type ProfileRow = Selectable<Database["users"]>;
type Db = Kysely<Database>;

export function userById(db: Db, userId: bigint): Promise<ProfileRow | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst();
}

export type TalkChoice = Omit<OwnTalk, "leaves_out_max">;

/** Stores the given fields. Other fields keep their values, or get their defaults. */
export async function storeTalk(
  db: Db,
  userId: bigint,
  { at, prefer, ...ids }: Partial<TalkChoice> & { at: Date },
): Promise<void> {
  const given = { ...ids, ...(prefer !== undefined && { prefer: prefer === 1 }), changed_at: at };
  await db
    .insertInto("talk")
    .values({ user_id: userId, languages: [], interests: [], prefer: true, ...given })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(given))
    .execute();
}

export function lockedUser(db: Db, userId: bigint): Promise<ProfileRow> {
  return db.selectFrom("users").selectAll().where("id", "=", userId).forUpdate().executeTakeFirstOrThrow();
}

/** The user's identities: one, or three for the seeded users of the sandbox. */
export function identitiesOf(db: Db, userId: bigint): Promise<IdentityKey[]> {
  return db
    .selectFrom("identities")
    .select(["login_type", "third_party_id"])
    .where("user_id", "=", userId)
    .orderBy("login_type")
    .execute();
}

export async function setColumns(db: Db, userId: bigint, columns: Updateable<Database["users"]>): Promise<void> {
  await db.updateTable("users").set(columns).where("id", "=", userId).execute();
}

export async function storeMatchFilters(db: Db, userId: bigint, filters: MatchFilters & { at: Date }): Promise<void> {
  const row = { sex: filters.sex, country: filters.country, updated_at: filters.at };
  await db
    .insertInto("match_filters")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
}

export interface IdentityKey {
  login_type: number;
  third_party_id: string;
}

/** Refusals for age by keyed hash, so that a new sign-in does not evade them. Stores no birthday (rule AGE-6). */
export class AgeRefusals {
  readonly #secret: ServerSecret;

  constructor(serverSecret: ServerSecret) {
    this.#secret = serverSecret;
  }

  /** The latest day to try again among these identities, if it is after `today`. */
  async tryAgainOn(
    db: Kysely<Database>,
    identities: readonly IdentityKey[],
    today: CalendarDay,
  ): Promise<CalendarDay | null> {
    if (identities.length === 0) return null;
    const refusal = await db
      .selectFrom("age_refusals")
      .select("try_again_on")
      .where(
        "identity_hash",
        "in",
        identities.flatMap((identity) => this.#hashes(identity)),
      )
      .where("try_again_on", ">", today)
      .orderBy("try_again_on", "desc")
      .limit(1)
      .executeTakeFirst();
    return refusal?.try_again_on ?? null;
  }

  async add(db: Kysely<Database>, identities: readonly IdentityKey[], tryAgainOn: CalendarDay): Promise<void> {
    await db
      .insertInto("age_refusals")
      .values(
        identities.map((identity) => ({
          identity_hash: this.#secret.mac(hashedText(identity)).toString("hex"),
          try_again_on: tryAgainOn,
        })),
      )
      .onConflict((conflict) => conflict.column("identity_hash").doUpdateSet({ try_again_on: tryAgainOn }))
      .execute();
  }

  async remove(db: Kysely<Database>, identities: readonly IdentityKey[]): Promise<void> {
    if (identities.length === 0) return;
    await db
      .deleteFrom("age_refusals")
      .where(
        "identity_hash",
        "in",
        identities.flatMap((identity) => this.#hashes(identity)),
      )
      .execute();
  }

  #hashes(identity: IdentityKey): string[] {
    return this.#secret.storedMacs(hashedText(identity)).map((hash) => hash.toString("hex"));
  }
}

function hashedText({ login_type, third_party_id }: IdentityKey): string {
  return `age/v1\0${login_type}\0${third_party_id}`;
}
