import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import { boundedCache } from "#lib/cache.ts";
import { Periodic, type PeriodicOptions } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";

/** Searches wait for this time at most. */
const storedEveryMs = 10_000;
/** Users whose first search this server does not store again. */
const knownMax = 100_000;
/** If the database is away for long, the first searches of further users are stored at their next search. */
const waitingMax = 50_000;
/** Users whose stored day one statement looks up. */
const readAtOnceMax = 1_000;

interface FirstSearchesParts {
  db: Kysely<Database>;
  clock: Clock;
  logger: PeriodicOptions["logger"];
}

/** Stores the day of each user's first search. A search only leaves its user's id here, so that no match waits. */
export class FirstSearches implements AsyncDisposable {
  readonly #parts: FirstSearchesParts;
  readonly #known = boundedCache<bigint, true>({ entriesMax: knownMax });
  readonly #waiting = new Set<bigint>();
  readonly #storing: Periodic;

  constructor(parts: FirstSearchesParts) {
    this.#parts = parts;
    const storing = { pauseMs: () => storedEveryMs, work: () => this.#store() };
    this.#storing = new Periodic({ ...parts, name: "first searches", ...storing });
  }

  searched(userId: bigint): void {
    if (this.#known.has(userId) || this.#waiting.size >= waitingMax) return;
    this.#known.set(userId, true);
    this.#waiting.add(userId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#storing[Symbol.asyncDispose]();
    await this.#store().catch((error: unknown) =>
      this.#parts.logger.error({ err: error }, "failed to store the last first searches"),
    );
  }

  async #store(): Promise<void> {
    while (this.#waiting.size > 0) {
      const ids = [...this.#waiting].slice(0, readAtOnceMax);
      for (const id of await this.#withoutDay(ids)) await this.#storeDay(id);
      for (const id of ids) this.#waiting.delete(id);
    }
  }

  async #withoutDay(ids: readonly bigint[]): Promise<bigint[]> {
    const rows = await this.#parts.db
      .selectFrom("users")
      .select("id")
      .where("id", "in", ids)
      .where("first_search_on", "is", null)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** One user a statement, so that it never holds a lock while it waits for another. */
  async #storeDay(userId: bigint): Promise<void> {
    const { db, clock } = this.#parts;
    await db
      .updateTable("users")
      .set({ first_search_on: new Date(clock.nowMs()).toISOString().slice(0, 10) })
      .where("id", "=", userId)
      .where("first_search_on", "is", null)
      .where("erased_at", "is", null)
      .execute();
  }
}
