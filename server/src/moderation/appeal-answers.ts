import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { decisionNotificationTtlSeconds, pushKeptMs } from "@fava/wire/limits.ts";
import { notifiedAppealPath } from "@fava/wire/notifications.ts";
import type { Database } from "#db/schema.ts";
import { catalogText } from "#lib/catalog-text.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import { endpointHash, type NotificationService } from "#people/notification-service.ts";
import type { Clock } from "#ports/clock.ts";
import type { PushTarget } from "#ports/pusher.ts";
import type { Limits } from "#ports/rate-limits.ts";

export interface AppealAnswersOptions {
  db: Kysely<Database>;
  clock: Clock;
  limits: Limits;
  notifications: Pick<NotificationService, "key" | "sealed" | "secondsOfQuiet" | "notifyBrowser">;
  logger: Pick<Logger, "error">;
}

type SentAppeal = { readonly id: bigint } | undefined;

export interface AppealBrowser extends PushTarget {
  readonly offset_min: number;
  readonly language: string;
}

/** `done`: sent or given up. `failed`: retry later. `dueAt`: do not send before this time. */
type TellOutcome = "done" | "failed" | { readonly dueAt: Date };

/** One web push about an appeal's answer to the browser that the ban's token registered; the outbox schedules it. */
export class AppealAnswers {
  readonly #options: AppealAnswersOptions;

  constructor(options: AppealAnswersOptions) {
    this.#options = options;
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
   * Registers the browser in place of the previous one. Returns `on: false` if the appeal is missing or answered. The
   * lock on the appeal makes a simultaneous answer see the registration.
   * @throws EndpointError 400 with the field if no known push service issues such an endpoint or key; 429.
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
        (appeal_id, user_id, endpoint_hash, sealed, language, offset_min, created_at)
      select appeals.id, user_id, ${endpoint_hash}, ${sealed}, ${language}, ${offset_min}, ${at}
      from appeals join users on users.id = appeals.user_id
      where appeals.id = ${appeal.id} and appeals.state = 'received' and users.deleted_at is null
      for share of appeals
      on conflict (appeal_id) do update set
        endpoint_hash = excluded.endpoint_hash, sealed = excluded.sealed, language = excluded.language,
        offset_min = excluded.offset_min, created_at = excluded.created_at
      returning appeal_id`.execute(db);
    return { on: rows.length > 0 };
  }

  /** Deletes the browser's registration, after the user withdrew it or read the answer. */
  async forget(appeal: SentAppeal): Promise<void> {
    if (!appeal) return;
    await this.#options.db.deleteFrom("appeal_subscriptions").where("appeal_id", "=", appeal.id).execute();
  }

  async forgetOld(): Promise<void> {
    const { db, clock } = this.#options;
    await sql`
      delete from appeal_subscriptions using users
      where users.id = appeal_subscriptions.user_id
        and (appeal_subscriptions.created_at < ${new Date(clock.nowMs() - pushKeptMs)} or users.deleted_at is not null)`.execute(
      db,
    );
  }

  /** Sends the notification. Deletes the registration after success or the last attempt. */
  async notify(appealId: bigint, { isLast }: { isLast: boolean }): Promise<TellOutcome> {
    const { db, clock, notifications, logger } = this.#options;
    const browser = await db
      .selectFrom("appeal_subscriptions")
      .innerJoin("users", "users.id", "appeal_subscriptions.user_id")
      .select(["endpoint_hash", "sealed", "appeal_subscriptions.language", "offset_min"])
      .where("appeal_id", "=", appealId)
      .where("users.deleted_at", "is", null)
      .executeTakeFirst();
    if (!browser) return "done";
    const { language, offset_min } = browser;
    const quietSeconds = notifications.secondsOfQuiet(offset_min);
    if (quietSeconds > 0) return { dueAt: new Date(clock.nowMs() + quietSeconds * 1_000) };
    const told = {
      subject: `appeal:${appealId}`,
      ttlSeconds: decisionNotificationTtlSeconds,
      language,
      title: catalogText(language, "notify.decision"),
      // The browser stores the ban's token.
      path: notifiedAppealPath,
    };
    const outcome = await notifications.notifyBrowser(browser, "appeal", told).catch((error: unknown) => {
      logger.error({ err: error, appealId: String(appealId) }, "failed to notify a browser of an answered appeal");
      return "failed" as const;
    });
    if (outcome === "failed" && !isLast) return "failed";
    await this.forget({ id: appealId });
    return "done";
  }
}
