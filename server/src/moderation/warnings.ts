import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { operations } from "@fava/wire/moderation.ts";
import { type Push, pushCodes, type ReportOutcome } from "@fava/wire/pushes.ts";
import type { Database } from "#db/schema.ts";
import { catalogText } from "#lib/catalog-text.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Bus, KeptMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";

interface WarningsOptions {
  db: Kysely<Database>;
  clock: Clock;
  bus: Pick<Bus, "confirm" | "isPresent">;
  logger: Pick<Logger, "error">;
}

const notYet = "a warning could not be told yet";

/** Tells people that they were warned: at once, or when they are here next; each warning once (rule CASE-67). */
export class Warnings implements AsyncDisposable {
  readonly #options: WarningsOptions;
  readonly #tasks: Tasks;

  constructor(options: WarningsOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
  }

  /** Somebody has a new chat session. */
  arrived(userId: bigint): void {
    this.#tasks.add(notYet, () => this.tell(userId));
  }

  /** A warning that their page did not acknowledge is told once more (rule CASE-98). */
  unheard(userId: bigint, messages: readonly KeptMessage[]): void {
    const warnings = reportNoticesIn(messages).filter(({ outcome }) => outcome === "warned");
    if (warnings.length === 0) return;
    this.#tasks.add(notYet, async () => {
      for (const { reason_id } of warnings) await this.#oweAgain(userId, reason_id);
      await this.tell(userId);
    });
  }

  /** Tells what was not told yet. Never fails: what is left is told next time. */
  async tell(userId: bigint): Promise<void> {
    const { bus, logger } = this.#options;
    if (!(await bus.isPresent(userId))) return;
    try {
      for (const { id, reason_id: reasonId, language } of await this.#take(userId)) {
        const notice = reportNotice({ outcome: "warned", reasonId }, language);
        if (!(await bus.confirm(userId, notice))) await this.#putBack(id);
      }
    } catch (error) {
      logger.error({ err: error, userId: String(userId) }, notYet);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#tasks[Symbol.asyncDispose]();
  }

  #take(userId: bigint): Promise<{ id: bigint; reason_id: number; language: string }[]> {
    const { db, clock } = this.#options;
    return db
      .updateTable("cases")
      .from("users")
      .set({ told_at: new Date(clock.nowMs()) })
      .whereRef("users.id", "=", "cases.subject_id")
      .where("subject_id", "=", userId)
      .where("operation", "=", operations.warn)
      .where("told_at", "is", null)
      .returning(["cases.id", "reason_id", "users.language"])
      .execute();
  }

  /** The person left while this was read, or the process that has their session does not answer. */
  async #putBack(caseId: bigint): Promise<void> {
    await this.#options.db.updateTable("cases").set({ told_at: null }).where("id", "=", caseId).execute();
  }

  /** The last that was told for this reason: those of one reason are told in the same words. */
  async #oweAgain(userId: bigint, reasonId: number): Promise<void> {
    const told = await this.#options.db
      .selectFrom("cases")
      .select("id")
      .where("subject_id", "=", userId)
      .where("operation", "=", operations.warn)
      .where("reason_id", "=", reasonId)
      .where("told_at", "is not", null)
      .orderBy("told_at", "desc")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    if (told) await this.#putBack(told.id);
  }
}

type ReportNotice = Extract<Push, { code: typeof pushCodes.reportNotice }>;

/** The notices among what was kept for somebody. */
export function reportNoticesIn(messages: readonly KeptMessage[]): ReportNotice[] {
  const pushes = messages.flatMap((message) => (message.type === "push" ? [message.push] : []));
  return pushes.filter((push) => push.code === pushCodes.reportNotice);
}

/** Push 100_004 with its words in the language of whoever gets it (rule CASE-41). */
export function reportNotice(told: { outcome: ReportOutcome; reasonId: number }, language: string): ReportNotice {
  const { outcome, reasonId } = told;
  const reason = catalogText(language, `reason.report.${reasonId}`);
  const text = catalogText(language, `report.outcome.${outcome}`, { reason });
  return { code: pushCodes.reportNotice, text, outcome, reason_id: reasonId };
}
