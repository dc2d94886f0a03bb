import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";

type Db = Kysely<Database>;

/** Somebody's side of a call that is to give its beans back. */
export interface OwedBeans {
  readonly callId: string;
  readonly userId: bigint;
}

export interface OwedBeansOptions {
  db: Db;
  clock: Clock;
  logger: Pick<Logger, "error">;
  enforced: {
    /** Gives back what a call has cost this person, once however often it is asked for. */
    returnBeans(callId: string, toUserId: bigint): Promise<void>;
  };
}

/** So long whoever noted a debt is left to pay it, after the call has ended. */
const payerHasMs = 60_000;
const triesMax = 300;
const rowsAtOnce = 100;

/**
 * Beans that people are owed for calls which were cut, or wrongly cut. Noted together with the decision, so that neither
 * a ledger that fails nor a process that ends takes them from anybody; the ledger pays each once (rule CASE-66).
 */
export class OwedBeansBook {
  readonly #options: OwedBeansOptions;

  constructor(options: OwedBeansOptions) {
    this.#options = options;
  }

  /** Notes a debt, in the transaction of the decision where there is one. */
  async owe(db: Db, { callId, userId }: OwedBeans): Promise<void> {
    const since = new Date(this.#options.clock.nowMs());
    await db
      .insertInto("owed_beans")
      .values({ call_id: callId, user_id: userId, since })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Pays now what was noted; never fails: what is left is paid by `retry`. */
  async pay(owed: OwedBeans): Promise<void> {
    const { db, enforced, logger } = this.#options;
    const { callId, userId } = owed;
    try {
      await enforced.returnBeans(callId, userId);
      await db.deleteFrom("owed_beans").where("call_id", "=", callId).where("user_id", "=", userId).execute();
    } catch (error) {
      logger.error({ err: error, callId, userId: String(userId) }, "beans could not be given back yet");
    }
  }

  /** Pays what was left, the oldest first. After a day of failures it stays written down for an operator. */
  async retry(): Promise<void> {
    const { db, clock } = this.#options;
    const rows = await db
      .selectFrom("owed_beans")
      .select(["call_id", "user_id"])
      .where("since", "<", new Date(clock.nowMs() - payerHasMs))
      .where("tries", "<", triesMax)
      .orderBy("since")
      .limit(rowsAtOnce)
      .execute();
    for (const { call_id, user_id } of rows) {
      await db
        .updateTable("owed_beans")
        .set((row) => ({ tries: row("tries", "+", 1) }))
        .where("call_id", "=", call_id)
        .where("user_id", "=", user_id)
        .execute();
      await this.pay({ callId: call_id, userId: user_id });
    }
  }
}
