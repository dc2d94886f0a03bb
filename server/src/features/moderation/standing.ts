import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { LruMap } from "#lru-map.ts";
import type { Clock } from "#ports/clock.ts";
import { type Standing, untilDecidedMs } from "#ports/moderation.ts";
import { dayMs } from "./enforcement.ts";

const peopleKeptMax = 50_000;
/** New accounts grow old without anybody saying so. */
const keptMs = 60_000;
const newCalls = 10;

interface StandingRow {
  paused_until: Date | null;
  is_paused_until_decided: boolean;
  muted_until: Date | null;
  is_new: boolean;
  is_watched: boolean;
}

/** What people may do now, read once and remembered for a minute, or until something about them changes (rule CASE-20). */
export class StandingBook {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #known = new LruMap<bigint, { standing: Standing; untilMs: number }>(peopleKeptMax);
  #changes = 0;

  constructor(options: { db: Kysely<Database>; clock: Clock }) {
    this.#db = options.db;
    this.#clock = options.clock;
  }

  async of(userId: bigint): Promise<Standing> {
    const nowMs = this.#clock.nowMs();
    const known = this.#known.get(userId);
    if (known && known.untilMs > nowMs) return inForce(known.standing, nowMs);
    const changes = this.#changes;
    const standing = await readStanding(this.#db, userId, nowMs);
    // What changed while this was read may be missing in it.
    if (changes === this.#changes) this.#known.set(userId, { standing, untilMs: nowMs + keptMs });
    return inForce(standing, nowMs);
  }

  /** To be called after a change was committed. */
  forget(userId: bigint): void {
    this.#changes += 1;
    this.#known.delete(userId);
  }
}

function inForce(standing: Standing, nowMs: number): Standing {
  const { pausedUntil, mutedUntil } = standing;
  return {
    ...standing,
    pausedUntil: pausedUntil !== null && pausedUntil > nowMs ? pausedUntil : null,
    mutedUntil: mutedUntil !== null && mutedUntil > nowMs ? mutedUntil : null,
  };
}

async function readStanding(db: Kysely<Database>, userId: bigint, nowMs: number): Promise<Standing> {
  const now = new Date(nowMs);
  const since = new Date(nowMs - dayMs);
  const { rows } = await sql<StandingRow>`
    select
      max(until) filter (where what = 'matching') as paused_until,
      coalesce(bool_or(what = 'matching' and until is null), false) as is_paused_until_decided,
      max(until) filter (where what = 'chat') as muted_until,
      exists (select from users where id = ${userId} and created_at > ${since}) or (
        select count(*) < ${newCalls} from (
          select from calls where offerer_id = ${userId} and connected_at is not null
          union all select from calls where answerer_id = ${userId} and connected_at is not null limit ${newCalls}
        ) as talked
      ) as is_new,
      exists (select from reports where reported_id = ${userId} and at > ${since})
        or exists (select from cases where subject_id = ${userId} and opened_at > ${since})
        or exists (select from signals where user_id = ${userId} and at > ${since} and not dry_run) as is_watched
    from restraints
    where user_id = ${userId} and lifted_at is null and (until is null or until > ${now})`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("an aggregate without a row");
  return {
    pausedUntil: row.is_paused_until_decided ? untilDecidedMs : (row.paused_until?.getTime() ?? null),
    mutedUntil: row.muted_until?.getTime() ?? null,
    isNew: row.is_new,
    isWatched: row.is_watched,
  };
}
