import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { RetryPauses } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { Leases } from "#ports/leases.ts";
import { leaseLockClass, type Processes, type ProcessSession } from "./processes.ts";
import type { Database } from "./schema.ts";

interface DatabaseLeasesOptions {
  db: Kysely<Database>;
  processes: Pick<Processes, "self" | "session">;
  clock: Clock;
  logger: Pick<Logger, "error">;
}

interface Holding {
  readonly name: string;
  readonly work: Parameters<Leases["hold"]>[1];
  readonly stopped: AbortSignal;
}

/** Advisory locks on this server's own connection: a crash, or losing the connection, releases all of them. */
export class DatabaseLeases implements Leases {
  readonly #options: DatabaseLeasesOptions;
  readonly #stops = new Set<() => Promise<void>>();
  #isOver = false;

  constructor(options: DatabaseLeasesOptions) {
    this.#options = options;
  }

  hold(...[name, work, { lookEveryMs }]: Parameters<Leases["hold"]>): AsyncDisposable {
    const stop = new AbortController();
    const pauses = new RetryPauses(this.#options.clock);
    const look = () => pauses.wait(lookEveryMs);
    const holding = this.#isOver ? Promise.resolve() : this.#hold({ name, work, stopped: stop.signal }, look);
    const stopHolding = async () => {
      this.#stops.delete(stopHolding);
      stop.abort();
      pauses[Symbol.dispose]();
      await holding;
    };
    this.#stops.add(stopHolding);
    return { [Symbol.asyncDispose]: stopHolding };
  }

  /** Resolves when the work of all leases has ended. */
  async letGo(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#stops].map((stop) => stop()));
  }

  async #hold(holding: Holding, untilNextLook: () => Promise<void>): Promise<void> {
    const { processes, logger } = this.#options;
    const { name, stopped } = holding;
    while (!stopped.aborted) {
      const { session } = processes;
      try {
        if (session && (await this.#tryOnce(session, holding))) return;
      } catch (error) {
        // Work that has lost its connection, and so its lease, is expected to fail.
        if (!session?.ended.aborted) logger.error({ err: error, lease: name }, "work of lease failed");
      }
      if (!stopped.aborted) await untilNextLook();
    }
  }

  /** True if the work completed without losing the lease. */
  async #tryOnce(session: ProcessSession, { name, work, stopped }: Holding): Promise<boolean> {
    const [lock] = await session.ask<{ taken: boolean }>("select pg_try_advisory_lock($1, hashtext($2)) as taken", [
      leaseLockClass,
      name,
    ]);
    if (!lock?.taken) return false;
    try {
      const epoch = await this.#nextEpoch(name);
      const lost = AbortSignal.any([session.ended, stopped]);
      if (!lost.aborted) await work({ epoch }, lost);
      return !session.ended.aborted;
    } finally {
      if (!session.ended.aborted)
        await session.ask("select pg_advisory_unlock($1, hashtext($2))", [leaseLockClass, name]);
    }
  }

  async #nextEpoch(name: string): Promise<bigint> {
    const { db, processes } = this.#options;
    const { rows } = await sql<{ epoch: bigint }>`
      insert into leases (name, epoch, holder, held_at) values (${name}, 1, ${processes.self}, clock_timestamp())
      on conflict (name) do update set epoch = leases.epoch + 1, holder = excluded.holder, held_at = excluded.held_at
      returning epoch`.execute(db);
    const [row] = rows;
    if (!row) throw new Error("lease has no epoch");
    return row.epoch;
  }
}
