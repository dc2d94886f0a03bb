import { type Kysely, type Migration, Migrator } from "kysely";
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
import type { Database } from "./schema.ts";

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
};

/** The database cannot be brought to the tables of this version. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Brings the tables up to date, in one transaction; several processes may try at once, one does it.
 *
 * @returns the names of the migrations that ran.
 * @throws MigrationError naming the step; nothing has changed then.
 */
export async function migrate(db: Kysely<Database>): Promise<readonly string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) return results.map((result) => result.migrationName);
  const failed = results.find((result) => result.status === "Error")?.migrationName;
  const message = error instanceof Error ? error.message : JSON.stringify(error);
  throw new MigrationError(`the database could not be migrated${failed ? ` (${failed})` : ""}: ${message}`, {
    cause: error,
  });
}
