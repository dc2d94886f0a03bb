import { pino } from "pino";
import { codes } from "@fava/wire/codes.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { SignedInContext } from "#ports/handlers.ts";
import type { Hub } from "#edge/socket/hub.ts";
import { socialHandlers } from "#people/social-routes.ts";
import { SocialService } from "#people/social-service.ts";
import type { Bus } from "#ports/bus.ts";
import { TestClock } from "./clock.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { MemoryBus } from "./memory-bus.ts";

interface PersonFacts {
  nickname: string;
  sex: 0 | 1 | 2;
  birthday: string | null;
  country_id: number;
  searchable: boolean;
  official: boolean;
}

/** Relations over a database of their own, and people whose pages are open. */
export class SocialWorld {
  readonly database: TestDatabase;
  readonly clock: TestClock;
  readonly bus = new MemoryBus(() => this.clock.monotonicMs());
  /** What people are told through: `bus`, or sockets. */
  readonly tells: Bus;
  readonly social: SocialService;
  readonly handlers: ReturnType<typeof socialHandlers>;
  #peopleMade = 0;
  #callsMade = 0;

  /** `sockets` to tell people through, and their clock, in place of memory. */
  static async open(sockets?: { hub: Hub; clock: TestClock }): Promise<SocialWorld> {
    return new SocialWorld(await createTestDatabase(), sockets);
  }

  private constructor(database: TestDatabase, sockets?: { hub: Hub; clock: TestClock }) {
    this.database = database;
    this.clock = sockets?.clock ?? new TestClock();
    this.tells = sockets?.hub ?? this.bus;
    const { clock, bus } = this;
    const { db } = database;
    this.social = new SocialService({ db, bus: this.tells, clock, logger: pino({ level: "silent" }) });
    this.handlers = socialHandlers({ db, clock, social: this.social });
    const { presence, blocks } = this.social;
    sockets?.hub.listen(presence);
    sockets?.hub.listen(blocks);
    bus.listener = {
      arrived: (userId) => presence.arrived(userId),
      dropped: (userId) => presence.dropped(userId),
      resumed: (userId) => presence.resumed(userId),
      gone: (userId) => {
        presence.gone(userId);
        blocks.gone(userId);
      },
    };
  }

  /** A new person: a man of 26 in country 18 unless said otherwise. */
  async person(change: Partial<PersonFacts> = {}): Promise<bigint> {
    this.#peopleMade += 1;
    const { id } = await this.database.db
      .insertInto("users")
      .values({
        user_no: String(10_000_000 + this.#peopleMade),
        external_id: `ext-${this.#peopleMade}`,
        nickname: `person ${this.#peopleMade}`,
        sex: 1,
        birthday: "2000-01-01",
        country_id: 18,
        ...change,
        role: 0,
        avatar_key: "",
        language: "en",
        last_login_ip: "",
        device_id: "",
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  /** So many people, all of whom have met each other a minute ago, unless said otherwise. */
  async metPeople<const Count extends 2 | 3 | 4>(count: Count): Promise<Tuple<Count>> {
    const people = await Promise.all(Array.from({ length: count }, () => this.person()));
    for (const [at, one] of people.entries()) {
      for (const other of people.slice(at + 1)) await this.call(one, other);
    }
    return people as unknown as Tuple<Count>;
  }

  /** A call that began so long ago, and lasted so long; `seconds` null: it goes on, `live` false: nobody was seen. */
  async call(
    one: bigint,
    other: bigint,
    { agoMs = 60_000, seconds = 30, live = true }: { agoMs?: number; seconds?: number | null; live?: boolean } = {},
  ): Promise<string> {
    this.#callsMade += 1;
    const id = `call-${this.#callsMade}`;
    const beganMs = this.clock.nowMs() - agoMs;
    await this.database.db
      .insertInto("calls")
      .values({
        id,
        offerer_id: one,
        answerer_id: other,
        offerer_price: 0,
        answerer_price: 0,
        matched_at: new Date(beganMs - 2_000),
        connected_at: live ? new Date(beganMs) : null,
        ended_at: seconds === null ? null : new Date(beganMs + seconds * 1_000),
        end_reason: seconds === null ? null : "left",
      })
      .execute();
    return id;
  }

  async friends(one: bigint, other: bigint): Promise<void> {
    await this.social.follow(one, other, true);
    await this.social.follow(other, one, true);
  }

  async delete(userId: bigint): Promise<void> {
    const deleted_at = new Date(this.clock.nowMs());
    await this.database.db.updateTable("users").set({ deleted_at }).where("id", "=", userId).execute();
  }

  /** These people open the page, and their friends were read. */
  async arrive(...userIds: readonly bigint[]): Promise<void> {
    for (const userId of userIds) this.bus.arrive(userId);
    await this.social[Symbol.asyncDispose]();
    for (const userId of userIds) this.bus.take(userId);
  }

  /** Social events that reached the person since the last look. */
  tookSocial(userId: bigint): SocialEvent[] {
    return this.bus.take(userId).flatMap((got) => ("type" in got && got.type === "social" ? [got.event] : []));
  }

  async externalIdOf(userId: bigint): Promise<string> {
    const row = await this.database.db
      .selectFrom("users")
      .select("external_id")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    return row.external_id;
  }

  /** Rows of one table between the two, in both directions. */
  async rowsBetween(table: "follows" | "likes" | "blocks" | "meet_wishes", pair: readonly [bigint, bigint]) {
    const rows = await this.database.db
      .selectFrom(table)
      .select(["user_id", "other_id"])
      .where("user_id", "in", pair)
      .where("other_id", "in", pair)
      .execute();
    return rows.map(({ user_id, other_id }) => `${user_id} ${other_id}`).toSorted();
  }
}

type Tuple<Count extends 2 | 3 | 4> = Count extends 2
  ? [bigint, bigint]
  : Count extends 3
    ? [bigint, bigint, bigint]
    : [bigint, bigint, bigint, bigint];

export function contextOf(userId: bigint, language = "en"): SignedInContext {
  const session = { id: `s${userId}`, userId, externalId: `ext-${userId}`, role: 0, profileComplete: true };
  return { session, ip: "127.0.0.1", userAgent: "test", language };
}

/** What vitest sees of a refusal. */
export const refusals = {
  notMet: { code: codes.forbidden, data: { reason: "not_met" } },
  tooMany: { code: codes.refused, data: { reason: "too_many" } },
};
