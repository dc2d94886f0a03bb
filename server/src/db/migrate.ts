import { setTimeout as delay } from "node:timers/promises";
import { runMigrations } from "graphile-worker";
import { CompiledQuery, type Kysely, type Migration, Migrator } from "kysely";
import type pg from "pg";
import * as people from "./migrations/0001-people.ts";
import * as calls from "./migrations/0002-calls.ts";
import * as beans from "./migrations/0003-beans.ts";
import * as shop from "./migrations/0004-shop.ts";
import * as meters from "./migrations/0005-meters.ts";
import * as relations from "./migrations/0006-people.ts";
import * as peopleIndexes from "./migrations/0007-people-indexes.ts";
import * as moderation from "./migrations/0008-moderation.ts";
import * as owed from "./migrations/0009-owed.ts";
import * as sentViews from "./migrations/0010-sent-views.ts";
import * as comments from "./migrations/0011-comments.ts";
import * as anyReason from "./migrations/0012-any-reason.ts";
import * as passedCalls from "./migrations/0013-passed-calls.ts";
import * as gatheredBeans from "./migrations/0014-gathered-beans.ts";
import * as standingMessages from "./migrations/0015-standing-messages.ts";
import * as owners from "./migrations/0016-owners.ts";
import * as callDays from "./migrations/0020-call-days.ts";
import * as talk from "./migrations/0023-talk.ts";
import * as aparts from "./migrations/0024-aparts.ts";
import * as notifications from "./migrations/0026-notifications.ts";
import * as rings from "./migrations/0027-rings.ts";
import * as matchTells from "./migrations/0028-match-tells.ts";
import * as awayRings from "./migrations/0029-away-rings.ts";
import * as reportOutcomes from "./migrations/0030-report-outcomes.ts";
import * as leftOutCountries from "./migrations/0031-left-out-countries.ts";
import * as appealSubscriptions from "./migrations/0032-appeal-subscriptions.ts";
import * as begunErasures from "./migrations/0033-begun-erasures.ts";
import * as pausesAndNotes from "./migrations/0034-pauses-and-notes.ts";
import * as searchNames from "./migrations/0035-search-names.ts";
import * as visibleNames from "./migrations/0036-visible-names.ts";
import * as coveredMessages from "./migrations/0037-covered-messages.ts";
import * as textFindings from "./migrations/0038-text-findings.ts";
import * as textQuestions from "./migrations/0039-text-questions.ts";
import * as jobs from "./migrations/0040-jobs.ts";
import { silentEngineLog } from "./job-engine.ts";
import type { Database } from "./schema.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

/** Listed by hand: what runs is what is imported, whatever lies in the folder. Names are kept for good. */
const migrations: Record<string, Migration> = {
  "0001-people": people,
  "0002-calls": calls,
  "0003-beans": beans,
  "0004-shop": shop,
  "0005-meters": meters,
  "0006-people": relations,
  "0007-people-indexes": peopleIndexes,
  "0008-moderation": moderation,
  "0009-owed": owed,
  "0010-sent-views": sentViews,
  "0011-comments": comments,
  "0012-any-reason": anyReason,
  "0013-passed-calls": passedCalls,
  "0014-gathered-beans": gatheredBeans,
  "0015-standing-messages": standingMessages,
  "0016-owners": owners,
  "0020-call-days-stated": callDays.stated,
  "0021-call-days-proven": callDays.proven,
  "0022-call-days": callDays.swapped,
  "0023-talk": talk,
  "0024-aparts": aparts,
  "0026-notifications": notifications,
  "0027-rings": rings,
  "0028-match-tells": matchTells,
  "0029-away-rings": awayRings,
  "0030-report-outcomes": reportOutcomes,
  "0031-left-out-countries": leftOutCountries,
  "0032-appeal-subscriptions": appealSubscriptions,
  "0033-begun-erasures": begunErasures,
  "0034-pauses-and-notes": pausesAndNotes,
  "0035-search-names": searchNames,
  "0036-visible-names": visibleNames,
  "0037-covered-messages": coveredMessages,
  "0038-text-findings": textFindings,
  "0039-text-questions": textQuestions,
  "0040-jobs": jobs,
};

/** The database cannot be brought to the tables of this version. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** A step that waits for a table gives up soon, since others wait behind it: so often it is begun anew, after so long. */
const lockTriesMax = 60;
const lockPauseMs = 1_000;
/** Any number that nothing else locks. */
const engineLockId = 4_718_230_592;

/**
 * Brings the tables up to date, each step in a transaction of its own; several processes may try at once, each step is
 * done by one. Servers of the version before may be at work meanwhile.
 *
 * @param upTo the last step that is to be done: tests and measurements begin from an earlier version.
 * @returns the names of the migrations that ran.
 * @throws MigrationError naming the step; of that step nothing has changed then.
 */
export async function migrate(db: Kysely<Database>, { upTo = "" } = {}): Promise<readonly string[]> {
  if (upTo === "") await migrateEngine(db);
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const ran: string[] = [];
  let tries = 0;
  while (ran.at(-1) !== upTo) {
    const { error, results = [] } = await migrator.migrateUp();
    const [result] = results;
    if (error === undefined && !result) return ran;
    if (error === undefined && result) {
      ran.push(result.migrationName);
      tries = 0;
      continue;
    }
    const isLocked = error instanceof DatabaseUnavailableError && error.reason === "slow";
    tries += 1;
    if (!isLocked || tries >= lockTriesMax) throw migrationError(error, result?.migrationName);
    await delay(lockPauseMs);
  }
  return ran;
}

/** Brings the job engine's own schema, `graphile_worker`, up to date; of several servers one does it. */
async function migrateEngine(db: Kysely<Database>): Promise<void> {
  await db.connection().execute(async (connection) => {
    // The engine creates its tables over a pool of the driver: this one has the connection of the query builder.
    const query = (asked: string | { text: string; values?: unknown[] }, values: unknown[] = []) =>
      connection.executeQuery(CompiledQuery.raw(typeof asked === "string" ? asked : asked.text, values));
    const client = { query, release: () => undefined };
    const pgPool = { connect: async () => client, on: () => undefined, removeListener: () => undefined };
    await query("select pg_advisory_lock($1)", [engineLockId]);
    try {
      await runMigrations({ pgPool: pgPool as unknown as pg.Pool, logger: silentEngineLog });
    } catch (error) {
      throw migrationError(error, "graphile_worker");
    } finally {
      await query("select pg_advisory_unlock($1)", [engineLockId]);
    }
  });
}

function migrationError(error: unknown, step: string | undefined): MigrationError {
  const message = error instanceof Error ? error.message : JSON.stringify(error);
  return new MigrationError(`the database could not be migrated${step ? ` (${step})` : ""}: ${message}`, {
    cause: error,
  });
}
