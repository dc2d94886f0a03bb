import { type Kysely, type Selectable, sql } from "kysely";
import type { Talk } from "@fava/wire/talk.ts";
import { isCallSince } from "#db/call-days.ts";
import { prepared } from "#db/prepared.ts";
import type { Database } from "#db/schema.ts";
import { UserCache } from "#lib/cache.ts";
import type { Clock } from "#ports/clock.ts";
import type { AgePolicy, Settings } from "#ports/settings.ts";
import { type AccountRestrictions, untilDecidedMs } from "#ports/moderation.ts";
import { needsAgeCheck } from "./age-policy.ts";

/** An account is new until it has had this many calls. */
export const newAccountCalls = 10;
const dayMs = 86_400_000;
/** As long as the database keeps signals. */
const flaggedMs = 30 * dayMs;
const peopleKeptMax = 100_000;
/** Limited, because an account stops being new by time, without an event. */
const keptMs = 60_000;

export interface KnownPerson extends Pick<
  Selectable<Database["users"]>,
  | "id"
  | "user_no"
  | "external_id"
  | "nickname"
  | "avatar_key"
  | "sex"
  | "birthday"
  | "country_id"
  | "about"
  | "location"
  | "official"
> {
  readonly talk: Talk;
  readonly leavesOut: readonly number[];
}

/** What decides whether a user may be matched, except beans and exclusions. */
export interface Standing {
  /** Null for an unknown account. */
  readonly person: KnownPerson | null;
  readonly restrictions: AccountRestrictions;
}

interface StandingOptions {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly agePolicy: AgePolicy;
  /** Left out: ages are estimated in every country. */
  readonly moderation?: Pick<Settings["moderation"], "ageHintsOffCountryIds">;
}

/** Caches standings. One statement reads each, and a change drops it. */
export class StandingService {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #agePolicy: AgePolicy;
  readonly #unhinted: readonly number[];
  readonly cache: UserCache<Standing>;

  constructor({ db, clock, agePolicy, moderation }: StandingOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#agePolicy = agePolicy;
    this.#unhinted = moderation?.ageHintsOffCountryIds ?? [];
    this.cache = new UserCache({ entriesMax: peopleKeptMax, expiry: { clock, ttlMs: keptMs } });
  }

  of(userId: bigint): Promise<Standing> {
    const nowMs = this.#clock.nowMs();
    return this.cache.get(userId, () => readStanding(this.#db, userId, { nowMs, agePolicy: this.#agePolicy }));
  }

  async restrictionsOf(userId: bigint): Promise<AccountRestrictions> {
    const { person, restrictions } = await this.of(userId);
    const nowMs = this.#clock.nowMs();
    const inForce = (untilMs: number | null) => (untilMs !== null && untilMs > nowMs ? untilMs : null);
    const { pausedUntil, mutedUntil, hintsAge } = restrictions;
    const isLeftOut = person === null || this.#unhinted.includes(person.country_id);
    const limits = { pausedUntil: inForce(pausedUntil), mutedUntil: inForce(mutedUntil) };
    return { ...restrictions, ...limits, hintsAge: hintsAge && !isLeftOut };
  }

  /** Call after committing a change. */
  forget(userId: bigint): void {
    this.cache.forget(userId);
  }
}

interface StandingRow extends Omit<KnownPerson, "talk" | "leavesOut"> {
  created_at: Date | null;
  passed_calls: number | null;
  languages: number[] | null;
  interests: number[] | null;
  prefer: boolean | null;
  leaves_out: number[] | null;
  /** Milliseconds since the epoch; infinity without an end. */
  paused_until: number | null;
  muted_until: number | null;
  watched_at: number | null;
  flagged_at: number | null;
  age_asked: boolean;
  age_checked: boolean;
  address_country_id: number | null;
  contradicted_at: number | null;
  age_seen_at: Date | null;
}

export async function readStanding(
  db: Kysely<Database>,
  userId: bigint,
  { nowMs, agePolicy }: { nowMs: number; agePolicy: AgePolicy },
): Promise<Standing> {
  const row = await standingRow(db, userId);
  const { created_at, passed_calls, paused_until, muted_until, watched_at, flagged_at, contradicted_at } = row;
  const calls = passed_calls ?? 0;
  const isWatched = watched_at !== null && watched_at > nowMs - dayMs;
  const isTried = created_at !== null && created_at.getTime() <= nowMs - dayMs && calls >= newAccountCalls;
  const isFlagged = flagged_at !== null && flagged_at > nowMs - flaggedMs;
  const isReceivedOnly = contradicted_at !== null && contradicted_at > nowMs - flaggedMs;
  const account = { userId, created_at, passed_calls: calls };
  return {
    person: personOf(row),
    restrictions: {
      pausedUntil: paused_until === Infinity ? untilDecidedMs : paused_until,
      mutedUntil: muted_until,
      isNew: await isNewAccount(db, account, new Date(nowMs - dayMs)),
      isWatched,
      ageGate: ageGateOf(row, agePolicy),
      startsCovered: !isTried || isFlagged || isWatched || isReceivedOnly,
      isReceivedOnly,
      hintsAge: row.age_seen_at === null && !row.age_checked,
    },
  };
}

export async function knownPerson(db: Kysely<Database>, userId: bigint): Promise<KnownPerson | null> {
  return personOf(await standingRow(db, userId));
}

/** A moderator's question needs a new pass. A pass satisfies the policy of every country. */
function ageGateOf(
  { age_asked, age_checked, country_id, address_country_id }: StandingRow,
  policy: AgePolicy,
): AccountRestrictions["ageGate"] {
  if (age_asked) return "asked";
  const isNeeded = needsAgeCheck(policy, country_id) || needsAgeCheck(policy, address_country_id);
  return isNeeded && !age_checked ? "country" : null;
}

async function standingRow(db: Kysely<Database>, userId: bigint): Promise<StandingRow> {
  const { rows } = await sql<StandingRow>`
    ${prepared("read_standing")} select
      person.id, person.user_no, person.external_id, person.nickname, person.avatar_key, person.sex, person.birthday,
      person.country_id, person.about, person.location, person.official, person.created_at, person.passed_calls,
      talk.languages, talk.interests, talk.prefer, talk.leaves_out,
      ${milliseconds("paused_until")}, ${milliseconds("muted_until")}, ${milliseconds("watched_at")},
      ${milliseconds("flagged_at")}, ${milliseconds("contradicted_at")}, standing.age_seen_at,
      standing.age_asked_at is not null as age_asked, person.age_checked_at is not null as age_checked,
      sessions.address_country_id
    from (select ${userId}::bigint as id) as asked
    left join users as person on person.id = asked.id
    left join talk on talk.user_id = asked.id
    left join standing on standing.user_id = asked.id
    left join sessions on sessions.user_id = asked.id and sessions.ended_at is null`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the outer join returned no row");
  return row;
}

function milliseconds(column: string) {
  return sql`(extract(epoch from ${sql.ref(`standing.${column}`)}) * 1000)::float8 as ${sql.ref(column)}`;
}

function personOf({ languages, interests, prefer, leaves_out, ...person }: StandingRow): KnownPerson | null {
  // An unknown account: the outer join returns nulls.
  if ((person.id as bigint | null) === null) return null;
  return {
    ...person,
    talk: { languages: languages ?? [], interests: interests ?? [], prefer: prefer === false ? 0 : 1 },
    leavesOut: leaves_out ?? [],
  };
}

/** `passed_calls` (calls in which a frame passed inspection) usually decides this without reading calls. */
export async function isNewAccount(
  db: Kysely<Database>,
  person: { userId: bigint; created_at: Date | null; passed_calls: number },
  since: Date,
): Promise<boolean> {
  const { userId, created_at, passed_calls } = person;
  if (created_at !== null && created_at > since) return true;
  if (passed_calls >= newAccountCalls) return false;
  const sinceThen = isCallSince("id", created_at ?? since);
  const { rows } = await sql<{ calls: bigint }>`
    select count(*) as calls from (
      select from calls where offerer_id = ${userId} and connected_at is not null and ${sinceThen}
      union all
      select from calls where answerer_id = ${userId} and connected_at is not null and ${sinceThen}
      limit ${newAccountCalls}
    ) as talked`.execute(db);
  return Number(rows[0]?.calls ?? 0n) < newAccountCalls;
}
