import { type Kysely, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import { reportOutcomeToldMs } from "@fava/wire/limits.ts";
import { operations } from "@fava/wire/moderation.ts";
import type { Database } from "#db/schema.ts";
import { Tasks } from "#lib/tasks.ts";
import type { NotificationService } from "#people/notification-service.ts";
import type { Bus, KeptMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import { reportNotice, reportNoticesIn } from "./warnings.ts";

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
  readonly is_acted: boolean;
  readonly reason_id: number;
  readonly language: string;
}

/** A warning or a ban followed, which was not taken back. */
const isActed = sql<boolean>`coalesce(
  cases.operation = ${operations.warn}
  or cases.operation = ${operations.forbid} and not exists (
    select from bans where bans.case_id = cases.id and bans.decided_by is not null and bans.ended_because = 'lifted'
  ), false
)`;

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

  /** An outcome that their page did not acknowledge is told once more (rule NOTIFY-57). */
  unheard(userId: bigint, messages: readonly KeptMessage[]): void {
    const outcomes = reportNoticesIn(messages).filter(
      ({ outcome }) => outcome === "acted" || outcome === "nothing_found",
    );
    if (outcomes.length === 0) return;
    this.#tasks.add(notYet, async () => {
      for (const { outcome, reason_id } of outcomes) await this.#oweAgain(userId, reason_id, outcome === "acted");
      await this.tell(userId);
    });
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
        const { case_id, is_acted, reason_id: reasonId, language } = outcome;
        const notice = reportNotice({ outcome: is_acted ? "acted" : "nothing_found", reasonId }, language);
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
      .returning(["reports.case_id", "cases.reason_id", "users.language", isActed.as("is_acted")])
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

  /** The last decided one with this outcome for this reason: all of those are told in the same words. */
  async #oweAgain(userId: bigint, reasonId: number, wasActed: boolean): Promise<void> {
    const { db, clock } = this.#options;
    const told = await db
      .selectFrom("reports")
      .innerJoin("cases", "cases.id", "reports.case_id")
      .select("reports.case_id")
      .where("reporter_id", "=", userId)
      .where("outcome_due", "=", false)
      .where("cases.reason_id", "=", reasonId)
      .where("cases.decided_at", ">", new Date(clock.nowMs() - reportOutcomeToldMs))
      .where(isActed, "=", wasActed)
      .orderBy("cases.decided_at", "desc")
      .limit(1)
      .executeTakeFirst();
    if (told) await this.#putBack(userId, told.case_id);
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
