import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { appealToldAgainMs, decisionNotificationTtlSeconds, pushFailuresMax, pushKeptMs } from "@fava/wire/limits.ts";
import { toldAppealPath } from "@fava/wire/notifications.ts";
import type { Database } from "#db/schema.ts";
import { catalogText } from "#lib/catalog-text.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import { Tasks } from "#lib/tasks.ts";
import { endpointHash, type NotificationService } from "#people/notification-service.ts";
import type { Clock } from "#ports/clock.ts";
import type { PushOutcome, PushTarget } from "#ports/pusher.ts";
import type { Limits } from "#ports/rate-limits.ts";

export interface AppealAnswersOptions {
  db: Kysely<Database>;
  clock: Clock;
  limits: Limits;
  notifications: Pick<NotificationService, "key" | "sealed" | "secondsOfQuiet" | "tellBrowser">;
  logger: Pick<Logger, "error">;
}

/** An appeal that was sent; undefined where nobody has sent one. */
type SentAppeal = { readonly id: bigint } | undefined;

/** What a browser gave out, and how it is to be told. */
export interface AppealBrowser extends PushTarget {
  readonly offset_min: number;
  readonly language: string;
}

/** A browser that is to be told that an appeal was answered. */
interface DueBrowser {
  readonly appeal_id: bigint;
  readonly endpoint_hash: string;
  readonly sealed: Buffer;
  readonly language: string;
  readonly offset_min: number;
}

/**
 * Tells the browser of whoever was banned, once, that their appeal was answered: they have no session, so that the token
 * of the ban chooses it (rules NOTIFY-45 to NOTIFY-48). What is due follows from the appeal itself: whichever server decided
 * it, whichever was killed meanwhile, the next one tells.
 */
export class AppealAnswers implements AsyncDisposable {
  readonly #options: AppealAnswersOptions;
  readonly #tasks: Tasks;

  constructor(options: AppealAnswersOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
  }

  async info(appeal: SentAppeal, endpoint: string | undefined): Promise<OutputOf<Endpoints["appealPushInfo"]>> {
    const { db, notifications } = this.#options;
    const { key } = notifications;
    if (!appeal || endpoint === undefined) return { key, on: false };
    const kept = await db
      .selectFrom("appeal_subscriptions")
      .select("appeal_id")
      .where("appeal_id", "=", appeal.id)
      .where("endpoint_hash", "=", endpointHash(endpoint))
      .executeTakeFirst();
    return { key, on: kept !== undefined };
  }

  /**
   * Has one browser told, in place of the one before; not of an appeal that nobody has sent, or that was answered.
   *
   * @throws EndpointError 400 with the field for what no push service gives out, or none that is used here; 429.
   */
  async add(appeal: SentAppeal, browser: AppealBrowser): Promise<OutputOf<Endpoints["appealPushAdd"]>> {
    const { db, clock, limits, notifications } = this.#options;
    const { offset_min, language, ...target } = browser;
    const { endpoint_hash, sealed } = notifications.sealed(target);
    if (!appeal) return { on: false };
    await takeFromLimit(limits, "pushByUser", `appeal:${appeal.id}`);
    const at = new Date(clock.nowMs());
    const { rows } = await sql`
      insert into appeal_subscriptions
        (appeal_id, user_id, endpoint_hash, sealed, language, offset_min, created_at, next_try_at)
      select appeals.id, user_id, ${endpoint_hash}, ${sealed}, ${language}, ${offset_min}, ${at}, ${at}
      from appeals join users on users.id = appeals.user_id
      where appeals.id = ${appeal.id} and appeals.state = 'received' and users.deleted_at is null
      on conflict (appeal_id) do update set
        endpoint_hash = excluded.endpoint_hash, sealed = excluded.sealed, language = excluded.language,
        offset_min = excluded.offset_min, failures = 0, created_at = excluded.created_at,
        next_try_at = excluded.next_try_at
      returning appeal_id`.execute(db);
    return { on: rows.length > 0 };
  }

  /** No browser is told: it was taken back, or whoever appealed has read the answer. */
  async forget(appeal: SentAppeal): Promise<void> {
    if (!appeal) return;
    await this.#options.db.deleteFrom("appeal_subscriptions").where("appeal_id", "=", appeal.id).execute();
  }

  /** An appeal was answered: whoever sent it is told, where they wanted to be. */
  answered(): void {
    this.#tasks.add("whoever appealed was not told yet that it was answered", () => this.tellDue());
  }

  /** Tells what is due, also what other servers have left. */
  async tellDue(): Promise<void> {
    if (this.#options.notifications.key === null) return;
    for (let due = await this.#take(); due; due = await this.#take()) await this.#tell(due);
  }

  /** Forgets browsers that were to be told for too long, and those of deleted accounts. */
  async forgetOld(): Promise<void> {
    const { db, clock } = this.#options;
    await sql`
      delete from appeal_subscriptions using users
      where users.id = appeal_subscriptions.user_id
        and (appeal_subscriptions.created_at < ${new Date(clock.nowMs() - pushKeptMs)} or users.deleted_at is not null)`.execute(
      db,
    );
  }

  /** Resolves when everybody was told whom nobody waits for. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#tasks[Symbol.asyncDispose]();
  }

  /** The next one that is due. It is this server's until it is due again, should this one be killed. */
  async #take(): Promise<DueBrowser | undefined> {
    const { db, clock } = this.#options;
    const at = new Date(clock.nowMs());
    const { rows } = await sql<DueBrowser>`
      update appeal_subscriptions
      set next_try_at = ${at}::timestamptz + ${appealToldAgainMs} * power(2, failures) * interval '1 millisecond'
      where appeal_id = (
        select told.appeal_id from appeal_subscriptions as told
        join appeals on appeals.id = told.appeal_id
        join users on users.id = told.user_id
        where told.next_try_at <= ${at} and appeals.state <> 'received' and users.deleted_at is null
        order by told.next_try_at, told.appeal_id
        limit 1
        for update of told skip locked
      )
      returning appeal_id, endpoint_hash, sealed, language, offset_min`.execute(db);
    return rows[0];
  }

  async #tell(due: DueBrowser): Promise<void> {
    const { db, clock, notifications, logger } = this.#options;
    const { appeal_id, language, offset_min } = due;
    const quietSeconds = notifications.secondsOfQuiet(offset_min);
    if (quietSeconds > 0) {
      const next_try_at = new Date(clock.nowMs() + quietSeconds * 1_000);
      await db.updateTable("appeal_subscriptions").set({ next_try_at }).where("appeal_id", "=", appeal_id).execute();
      return;
    }
    const told = {
      subject: `appeal:${appeal_id}`,
      ttlSeconds: decisionNotificationTtlSeconds,
      language,
      title: catalogText(language, "notify.decision"),
      // The token of the ban stands in the browser itself.
      path: toldAppealPath,
    };
    const outcome = await notifications.tellBrowser(due, "appeal", told).catch((error: unknown) => {
      logger.error({ err: error, appealId: String(appeal_id) }, "a browser could not be told of an appeal");
      return "failed" as const;
    });
    await this.#note(due, outcome);
  }

  /** A browser that was told, or is no more, is forgotten, and so is one that failed too often. */
  async #note({ appeal_id, endpoint_hash }: DueBrowser, outcome: PushOutcome): Promise<void> {
    const { db } = this.#options;
    // Not one that has taken its place meanwhile.
    if (outcome === "failed")
      await db
        .updateTable("appeal_subscriptions")
        .set(({ eb }) => ({ failures: eb("failures", "+", 1) }))
        .where("appeal_id", "=", appeal_id)
        .where("endpoint_hash", "=", endpoint_hash)
        .execute();
    await db
      .deleteFrom("appeal_subscriptions")
      .where("appeal_id", "=", appeal_id)
      .where("endpoint_hash", "=", endpoint_hash)
      .$if(outcome === "failed", (query) => query.where("failures", ">=", pushFailuresMax))
      .execute();
  }
}
