import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { accountRestoreMs } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import { beginErasure, dueErasures, emptyAppeals, erasePerson, releaseIdentities } from "./account-data-store.ts";

/** What other features erase. Every operation is idempotent. */
export interface ErasureParts {
  /** Refunds purchases that were paid after the deletion. */
  refunds: { refundUnused(userId: bigint): Promise<void> };
  messages: { eraseTextsOf(userId: bigint): Promise<void> };
  images: { removeAll(userId: bigint): Promise<void> };
  ages: { forgetAllOf(userId: bigint): Promise<void> };
  exports: { forget(userId: bigint): Promise<void> };
}

export interface ErasureOptions extends ErasureParts {
  db: Kysely<Database>;
  clock: Clock;
  logger: Pick<Logger, "error" | "info">;
}

const batchRows = 20;

/**
 * Erases deleted accounts that their users can no longer restore (rule DATA-10). It stores the decision first (rule
 * DATA-203) and marks the account as erased last, so that the next run repeats an interrupted erasure.
 */
export class Erasure {
  readonly #options: ErasureOptions;
  #stopped = false;

  constructor(options: ErasureOptions) {
    this.#options = options;
  }

  async runDue(): Promise<void> {
    const { db, clock, logger } = this.#options;
    const at = new Date(clock.nowMs());
    const deletedBefore = new Date(at.getTime() - accountRestoreMs);
    let after = 0n;
    for (;;) {
      const due = await dueErasures(db, deletedBefore, { after, rows: batchRows, at });
      for (const userId of due) {
        if (this.#stopped) return;
        await this.#erase(userId, { deletedBefore, at }).catch((error: unknown) =>
          logger.error({ err: error, userId: String(userId) }, "failed to erase an account"),
        );
        after = userId;
      }
      if (due.length < batchRows) break;
    }
    await emptyAppeals(db);
    await releaseIdentities(db, at);
  }

  stop(): void {
    this.#stopped = true;
  }

  async #erase(userId: bigint, { deletedBefore, at }: { deletedBefore: Date; at: Date }): Promise<void> {
    const { db, refunds, messages, images, ages, exports, logger } = this.#options;
    if (!(await beginErasure(db, userId, { deletedBefore, at }))) return;
    await refunds.refundUnused(userId);
    await messages.eraseTextsOf(userId);
    await images.removeAll(userId);
    await ages.forgetAllOf(userId);
    await exports.forget(userId);
    if (await erasePerson(db, userId, at)) logger.info({ userId: String(userId) }, "account erased");
  }
}
