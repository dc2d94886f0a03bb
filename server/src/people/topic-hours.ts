import { type Kysely, type Selectable, sql } from "kysely";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { adminHourAdd, adminHourList, hourList } from "@fava/wire/endpoints/hours.ts";
import { topicHourAheadMs, topicHourShownMs, topicHoursMax, weekMs } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { badInput, refused } from "#lib/errors.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { NotificationService } from "./notification-service.ts";
import { selfId } from "./social-routes.ts";

interface TopicHoursParts {
  db: Kysely<Database>;
  notifications: Pick<NotificationService, "notifyOfHour">;
  bus: Pick<Bus, "isPresent">;
  clock: Clock;
}

type Row = Selectable<Database["topic_hours"]>;
type Planned = OutputOf<typeof adminHourAdd>;

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Reminders that one run of the job sends; the next run goes on. */
const remindersAtOnceMax = 500;

/** Planned hours in which people who share a language or an interest come together, and the reminders of them. */
export class TopicHours {
  readonly #parts: TopicHoursParts;

  constructor(parts: TopicHoursParts) {
    this.#parts = parts;
  }

  /** The hours that run now or begin within a day, soonest first. */
  async shownTo(userId: bigint): Promise<OutputOf<typeof hourList>> {
    const { db, clock } = this.#parts;
    const reminders = await db.selectFrom("topic_hour_reminders").selectAll().where("user_id", "=", userId).execute();
    const remindedOf = new Map(reminders.map((row) => [wireInteger(row.hour_id), row.starts_at.getTime()]));
    const rows = (await this.#planned()).filter(({ starts_at }) => starts_at <= clock.nowMs() + topicHourShownMs);
    return {
      rows: rows.map(({ id, language, interest, starts_at, ends_at }) => ({
        id,
        language,
        interest,
        starts_at,
        ends_at,
        reminds: remindedOf.get(id) === starts_at ? 1 : 0,
      })),
    };
  }

  /**
   * Stores or deletes the request to be notified when the hour begins the next time.
   * @throws EndpointError 400 for an hour that is over, removed, or has begun.
   */
  async remind(userId: bigint, { id, on }: { id: number; on: boolean }): Promise<void> {
    const { db, clock } = this.#parts;
    if (!on) {
      await db
        .deleteFrom("topic_hour_reminders")
        .where("user_id", "=", userId)
        .where("hour_id", "=", BigInt(id))
        .execute();
      return;
    }
    const hour = (await this.#planned()).find((one) => one.id === id);
    if (!hour || hour.starts_at <= clock.nowMs()) throw badInput("no hour that is yet to begin", "id");
    const starts_at = new Date(hour.starts_at);
    await db
      .insertInto("topic_hour_reminders")
      .columns(["user_id", "hour_id", "starts_at"])
      // An administrator may have removed the hour since it was read.
      .expression((from) =>
        from
          .selectFrom("topic_hours")
          .select([sql<bigint>`${userId}::bigint`.as("user_id"), "id", sql<Date>`${starts_at}::timestamptz`.as("at")])
          .where("id", "=", BigInt(id)),
      )
      .onConflict((conflict) => conflict.columns(["user_id", "hour_id"]).doUpdateSet({ starts_at }))
      .execute();
  }

  /** All hours that are not over, with their next time, soonest first. */
  async list(): Promise<OutputOf<typeof adminHourList>> {
    return { rows: await this.#planned() };
  }

  /** @throws EndpointError 400 with the field; 406 `too_many`. */
  async add(input: ParsedInputOf<typeof adminHourAdd>): Promise<Planned> {
    const { db, clock } = this.#parts;
    const { spoken, interest, starts_at, minutes, is_weekly } = input;
    if ((spoken === -1) === (interest === -1)) throw badInput("one of spoken and interest", "spoken");
    const nowMs = clock.nowMs();
    if (starts_at <= nowMs || starts_at > nowMs + topicHourAheadMs)
      throw badInput("not in the coming weeks", "starts_at");
    const row = await db.transaction().execute(async (trx) => {
      // One at a time, so that two administrators cannot both add the last one.
      await sql`lock table topic_hours in share row exclusive mode`.execute(trx);
      const stored = await trx.selectFrom("topic_hours").selectAll().execute();
      if (stored.filter((one) => timeOf(one, nowMs)).length >= topicHoursMax) throw refused("too_many");
      return trx
        .insertInto("topic_hours")
        .values({
          language: spoken === -1 ? null : spoken,
          interest: interest === -1 ? null : interest,
          starts_at: new Date(starts_at),
          minutes,
          is_weekly: is_weekly === 1,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    return view(row, { startsMs: starts_at, endsMs: starts_at + minutes * minuteMs });
  }

  async remove(id: number): Promise<void> {
    await this.#parts.db.deleteFrom("topic_hours").where("id", "=", BigInt(id)).execute();
  }

  /** Notifies the absent among those who asked, once their hour has begun, and deletes what is over. */
  async runDue(): Promise<void> {
    const { db, bus, notifications, clock } = this.#parts;
    const now = new Date(clock.nowMs());
    await db
      .deleteFrom("topic_hours")
      .where("is_weekly", "=", false)
      .where("starts_at", "<", new Date(now.getTime() - dayMs))
      .execute();
    const { rows: due } = await sql<{ userId: bigint; hourId: bigint; starts_at: Date; minutes: number }>`
      delete from topic_hour_reminders as reminder using topic_hours as hour
      where hour.id = reminder.hour_id and (reminder.user_id, reminder.hour_id) in (
        select user_id, hour_id from topic_hour_reminders
        where starts_at <= ${now}
        order by starts_at, user_id
        limit ${remindersAtOnceMax}
        for update skip locked
      )
      returning reminder.user_id as "userId", reminder.hour_id as "hourId", reminder.starts_at, hour.minutes`.execute(
      db,
    );
    for (const { userId, hourId, starts_at, minutes } of due) {
      const endsAtMs = starts_at.getTime() + minutes * minuteMs;
      // An open page shows the hour.
      if (!(await bus.isPresent(userId))) await notifications.notifyOfHour({ userId, hourId, endsAtMs });
    }
  }

  async #planned(): Promise<Planned[]> {
    const { db, clock } = this.#parts;
    const rows = await db.selectFrom("topic_hours").selectAll().execute();
    return rows
      .flatMap((row) => {
        const time = timeOf(row, clock.nowMs());
        return time ? [view(row, time)] : [];
      })
      .toSorted((one, other) => one.starts_at - other.starts_at || one.id - other.id);
  }
}

interface Time {
  readonly startsMs: number;
  readonly endsMs: number;
}

/** When the hour runs now or the next time; null: it is over. */
function timeOf({ starts_at, minutes, is_weekly }: Row, nowMs: number): Time | null {
  const lengthMs = minutes * minuteMs;
  const firstMs = starts_at.getTime();
  const weeks = is_weekly ? Math.max(0, Math.floor((nowMs - firstMs - lengthMs) / weekMs) + 1) : 0;
  const startsMs = firstMs + weeks * weekMs;
  return startsMs + lengthMs > nowMs ? { startsMs, endsMs: startsMs + lengthMs } : null;
}

function view({ id, language, interest, is_weekly }: Row, { startsMs, endsMs }: Time): Planned {
  return {
    id: wireInteger(id),
    language,
    interest,
    starts_at: startsMs,
    ends_at: endsMs,
    is_weekly: is_weekly ? 1 : 0,
  };
}

export function topicHourHandlers(
  hours: TopicHours,
): Pick<Handlers, "hourList" | "hourRemind" | "adminHourList" | "adminHourAdd" | "adminHourRemove"> {
  return {
    hourList: async (context, input) => hours.shownTo(selfId(context, input.user_id)),
    hourRemind: async (context, { user_id, id, on }) => {
      await hours.remind(selfId(context, user_id), { id, on: on === 1 });
      return {};
    },
    adminHourList: async () => hours.list(),
    adminHourAdd: async (_context, input) => hours.add(input),
    adminHourRemove: async (_context, { id }) => {
      await hours.remove(id);
      return {};
    },
  };
}
