import type { Kysely, SqlBool, Transaction } from "kysely";
import type { Logger } from "pino";
import { reportOutcomeToldMs } from "@fava/wire/limits.ts";
import { operations } from "@fava/wire/moderation.ts";
import type { Database } from "#db/schema.ts";
import { Tasks } from "#lib/tasks.ts";
import type { NotificationService } from "#people/notification-service.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import { reportNotice } from "./warnings.ts";

export interface ReportOutcomesOptions {
  db: Kysely<Database>;
  clock: Clock;
  bus: Pick<Bus, "confirm" | "isPresent">;
  notifications: Pick<NotificationService, "decidedForAbsent">;
  logger: Pick<Logger, "error">;
}

/** A case that somebody reported, as it was decided. */
interface Outcome {
  readonly case_id: bigint | null;
  readonly operation: number | null;
  /** The ban that followed was taken back. */
  readonly is_lifted: SqlBool;
  readonly reason_id: number;
  readonly language: string;
}

const notYet = "what became of a report could not be told yet";

/**
 * Tells people what became of their reports: at once, or when they are here next, each case once (rules NOTIFY-41 to
 * NOTIFY-43). Who is not here is told by a notification that there is something to hear.
 */
export class ReportOutcomes implements AsyncDisposable {
  readonly #options: ReportOutcomesOptions;
  readonly #tasks: Tasks;

  constructor(options: ReportOutcomesOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
  }

  /** In the transaction that decides the case; answers whose reports these are. `unjudged`: only those nobody judged. */
  async owe(trx: Transaction<Database>, caseId: bigint, which: "all" | "unjudged" = "all"): Promise<bigint[]> {
    const owed = await trx
      .updateTable("reports")
      .set({ outcome_due: true })
      .where("case_id", "=", caseId)
      .$if(which === "unjudged", (reports) => reports.where("was_right", "is", null))
      .returning("reporter_id")
      .execute();
    return [...new Set(owed.map(({ reporter_id }) => reporter_id))];
  }

  /** Somebody has a new chat session. */
  arrived(userId: bigint): void {
    this.#tasks.add(notYet, () => this.tell(userId));
  }

  /** Tells what was not told yet. Never fails: what is left is told next time. */
  async tell(userId: bigint): Promise<void> {
    const { bus, notifications, logger } = this.#options;
    try {
      if (!(await bus.isPresent(userId)))
        return notifications.decidedForAbsent(
          userId,
          async () => !(await bus.isPresent(userId)) && this.#isDue(userId),
        );
      for (const outcome of await this.#take(userId)) {
        const { case_id, reason_id: reasonId, language } = outcome;
        const notice = reportNotice({ outcome: isActed(outcome) ? "acted" : "nothing_found", reasonId }, language);
        if (!(await bus.confirm(userId, notice))) await this.#putBack(userId, case_id);
      }
    } catch (error) {
      logger.error({ err: error, userId: String(userId) }, notYet);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#tasks[Symbol.asyncDispose]();
  }

  async #take(userId: bigint): Promise<Outcome[]> {
    const { db, clock } = this.#options;
    const taken: Outcome[] = await db
      .updateTable("reports")
      .from("cases")
      .innerJoin("users", (join) => join.on("users.id", "=", userId))
      .set({ outcome_due: false })
      .whereRef("cases.id", "=", "reports.case_id")
      .where("reporter_id", "=", userId)
      .where("outcome_due", "=", true)
      .where("cases.decided_at", ">", new Date(clock.nowMs() - reportOutcomeToldMs))
      .returning(["reports.case_id", "cases.operation", "cases.reason_id", "users.language"])
      .returning((row) =>
        row
          .exists(
            row
              .selectFrom("bans")
              .select("bans.id")
              .whereRef("bans.case_id", "=", "cases.id")
              .where("bans.decided_by", "is not", null)
              .where("bans.ended_because", "=", "lifted"),
          )
          .as("is_lifted"),
      )
      .execute();
    return [...new Map(taken.map((outcome) => [outcome.case_id, outcome])).values()];
  }

  /** The person left while this was read, or the process that has their session does not answer. */
  async #putBack(userId: bigint, caseId: bigint | null): Promise<void> {
    await this.#options.db
      .updateTable("reports")
      .set({ outcome_due: true })
      .where("reporter_id", "=", userId)
      .where("case_id", "=", caseId)
      .execute();
  }

  async #isDue(userId: bigint): Promise<boolean> {
    const due = await this.#options.db
      .selectFrom("reports")
      .select("id")
      .where("reporter_id", "=", userId)
      .where("outcome_due", "=", true)
      .executeTakeFirst();
    return due !== undefined;
  }
}

function isActed({ operation, is_lifted }: Outcome): boolean {
  return operation === operations.warn || (operation === operations.forbid && !is_lifted);
}
