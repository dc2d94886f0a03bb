import { type Kysely, sql, type Transaction } from "kysely";
import { adultFrom } from "@fava/wire/age.ts";
import { countryByCode } from "@fava/wire/countries.ts";
import { roles } from "@fava/wire/people.ts";
import { reasons } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Clock } from "#ports/clock.ts";
import type { SeedPerson } from "#ports/identity.ts";
import { type Random, randomId } from "#ports/random.ts";
import { AgeRefusals } from "./profile-store.ts";

const firstSeedNumber = 10_000_001;
const bannedDays = 30;
/** The underage user of the sandbox is this old on the day of the seed. */
const underAgeYears = 16;

/** Creates the users of the sandbox. Idempotent. Renews the banned user's ban after it has ended. */
export async function seedPeople(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  serverSecret: ServerSecret;
  people: readonly SeedPerson[];
}): Promise<void> {
  const refusals = new AgeRefusals(options.serverSecret);
  const now = options.clock.nowMs();
  await options.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('seed people', 0))`.execute(trx);
    for (const [index, person] of options.people.entries()) {
      const userId =
        (await existing(trx, person)) ??
        (await create(trx, options.random, { person, number: firstSeedNumber + index, at: new Date(now) }));
      if (person.standing === "banned") await ban(trx, userId, now);
      if (person.standing !== "under_age") continue;
      const keys = person.identities.map((one) => ({ login_type: one.loginType, third_party_id: one.thirdPartyId }));
      const today = new Date(now).toISOString().slice(0, 10);
      if ((await refusals.tryAgainOn(trx, keys, today)) === null) await refusals.add(trx, keys, underAgeUntil(now));
    }
  });
}

async function existing(trx: Transaction<Database>, person: SeedPerson): Promise<bigint | null> {
  const first = person.identities[0];
  if (!first) throw new Error(`${person.name} has no identity`);
  const row = await trx
    .selectFrom("identities")
    .select("user_id")
    .where("login_type", "=", first.loginType)
    .where("third_party_id", "=", first.thirdPartyId)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

async function create(
  trx: Transaction<Database>,
  random: Random,
  seed: { person: SeedPerson; number: number; at: Date },
): Promise<bigint> {
  const { person } = seed;
  const country = countryByCode(person.countryCode);
  if (!country) throw new Error(`${person.name} comes from an unknown country`);
  const isAdult = person.standing !== "under_age";
  const { id } = await trx
    .insertInto("users")
    .values({
      user_no: String(seed.number),
      external_id: randomId(random),
      nickname: person.name,
      avatar_key: "",
      sex: isAdult ? person.sex : 0,
      birthday: isAdult ? person.birthday : null,
      country_id: country.id,
      role: roleOf(person.standing),
      language: "en",
      created_at: seed.at,
      last_login_at: seed.at,
      last_login_ip: "",
      device_id: "",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("identities")
    .values(
      person.identities.map((one) => ({ login_type: one.loginType, third_party_id: one.thirdPartyId, user_id: id })),
    )
    .execute();
  return id;
}

async function ban(trx: Transaction<Database>, userId: bigint, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  const current = await trx
    .selectFrom("bans")
    .select("id")
    .where("user_id", "=", userId)
    .where((where) => where.or([where("until", "is", null), where("until", ">", now)]))
    .executeTakeFirst();
  if (current) return;
  const until = new Date(nowMs + bannedDays * 86_400_000);
  await trx
    .insertInto("bans")
    .values({ user_id: userId, reason_id: reasons.harassment.banReason, reason: "", created_at: now, until })
    .execute();
}

function roleOf(standing: SeedPerson["standing"]): number {
  if (standing === "moderator") return roles.moderator;
  return standing === "administrator" ? roles.administrator : roles.user;
}

function underAgeUntil(nowMs: number): string {
  const now = new Date(nowMs);
  const born = new Date(Date.UTC(now.getUTCFullYear() - underAgeYears, now.getUTCMonth(), now.getUTCDate()));
  return adultFrom(born.toISOString().slice(0, 10));
}
