import type { Kysely } from "kysely";
import PQueue from "p-queue";
import type { Logger } from "pino";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { matchNotificationsAtOnceMax } from "@fava/wire/limits.ts";
import { notificationKinds } from "@fava/wire/notifications.ts";
import type { MatchFacts, MatchPeople } from "#calls/match-service.ts";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { AccountRestrictions } from "#ports/moderation.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { Settings } from "#ports/settings.ts";
import type { NotificationService } from "./notification-service.ts";
import * as store from "./match-subscription-store.ts";
import { areApartByCountry, requireNotExcluded } from "./talk-service.ts";

export interface MatchSubscriptionsOptions {
  db: Kysely<Database>;
  notifications: Pick<NotificationService, "notifyOfMatch">;
  people: Pick<MatchPeople, "matchFacts">;
  gate: { restrictionsOf(userId: bigint): Promise<Pick<AccountRestrictions, "pausedUntil" | "ageGate">> };
  /** Whether a user searches or is in a call at any server. True if a server did not answer. */
  isBusy: (userId: bigint) => Promise<boolean>;
  bus: Pick<Bus, "pass">;
  settings: Pick<Settings, "selectableCountryIds">;
  limits: Limits;
  clock: Clock;
  logger: Pick<Logger, "error">;
}

export interface WaitingSearch {
  readonly userId: bigint;
  readonly filters: MatchFilters;
  readonly facts: Pick<MatchFacts, "sex" | "countryId" | "leavesOut">;
  readonly isWaiting: () => boolean;
}

/** Searches that are processed at once. Each takes a few queries and requests to push services. */
const searchesAtOnce = 4;
/** Limit of the queue. A search behind more than these would end before its turn. */
const waitingMax = 200;
/** How many subscriptions are examined per search. Busy and restricted users among them are skipped. */
const examinedMax = 50;

/** Subscriptions to "Notify me when someone comes". Each notifies at most once (rule NOTIFY-28). */
export class MatchSubscriptions implements AsyncDisposable {
  readonly #options: MatchSubscriptionsOptions;
  readonly #queue = new PQueue({ concurrency: searchesAtOnce });

  constructor(options: MatchSubscriptionsOptions) {
    this.#options = options;
  }

  /** The user's subscription; null for none. `until`: when it expires, in milliseconds since the epoch. */
  async current(userId: bigint): Promise<(MatchFilters & { until: number }) | null> {
    const { db, clock } = this.#options;
    const found = await store.readMatchSubscription(db, userId, new Date(clock.nowMs()));
    return found && { ...found, until: found.until.getTime() };
  }

  /**
   * Subscribes for a day in place of an earlier subscription, or unsubscribes.
   * @returns when the subscription expires, in milliseconds since the epoch; null if unsubscribed.
   * @throws EndpointError 400 for a country that cannot be chosen or that the user leaves out; 429.
   */
  async update(userId: bigint, { on, ...filters }: MatchFilters & { on: boolean }): Promise<number | null> {
    const { db, people, settings, limits, clock } = this.#options;
    if (filters.country > 0 && !settings.selectableCountryIds.includes(filters.country))
      throw badInput("country cannot be chosen", "country");
    const facts = await people.matchFacts(userId);
    if (on) requireNotExcluded(filters, facts);
    await takeFromLimit(limits, "matchSubscriptionByUser", String(userId));
    if (!on) {
      await store.removeMatchSubscription(db, userId);
      return null;
    }
    const { sex, countryId } = facts;
    const until = await store.storeMatchSubscription(db, { userId, filters, own: { sex, countryId } }, clock.nowMs());
    return until.getTime();
  }

  /** Call when a search has waited. Notifies fitting subscribers and reports their number to the searching user. */
  waited(search: WaitingSearch): void {
    if (this.#queue.size >= waitingMax) return;
    void this.#queue
      .add(() => this.#notifySubscribers(search))
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error }, "failed to notify subscribers of a waiting search"),
      );
  }

  idle(): Promise<void> {
    return this.#queue.onIdle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#queue.clear();
    await this.#queue.onIdle();
  }

  async #notifySubscribers(search: WaitingSearch): Promise<void> {
    const { db, bus, limits, clock } = this.#options;
    const { userId, filters, facts: own, isWaiting } = search;
    if (!isWaiting() || !(await this.#mayMeet(userId))) return;
    const about = { kind: notificationKinds.indexOf("fits"), at: new Date(clock.nowMs()), limit: examinedMax };
    const all = await store.findMatchSubscriptions(db, { userId, filters, own }, about);
    if (all.length === 0 || (await limits.take("tellingByUser", String(userId))) !== null) return;
    let count = 0;
    for (const found of all) {
      if (count === matchNotificationsAtOnceMax || !isWaiting()) break;
      if (await this.#notify(found, search)) count += 1;
    }
    if (count > 0) bus.pass(userId, { type: "told", count });
  }

  async #notify(
    found: store.FoundMatchSubscription,
    { userId: waitingId, filters: theirs, facts, isWaiting }: WaitingSearch,
  ) {
    const { db, notifications, people, isBusy, clock } = this.#options;
    const { userId, sex, country, createdAt } = found;
    const own = await people.matchFacts(userId);
    // The subscription has the subscriber's facts of its creation, so this checks the present ones.
    if (!own.complete || !accepts(theirs, own) || areApartByCountry(own, facts)) return false;
    if (!(await this.#mayMeet(userId)) || (await isBusy(userId))) return false;
    const claim = async () =>
      isWaiting() &&
      store.claimMatchSubscription(db, { userId, createdAt }, { waitingId, at: new Date(clock.nowMs()) });
    const releaseClaim = () => store.releaseMatchSubscription(db, { userId, createdAt });
    const isNotified = await notifications.notifyOfMatch({
      userId,
      filters: { sex, country },
      claim,
      releaseClaim,
    });
    if (isNotified) await store.removeNotified(db, { userId, createdAt });
    return isNotified;
  }

  async #mayMeet(userId: bigint): Promise<boolean> {
    const { gate, clock } = this.#options;
    const { pausedUntil, ageGate } = await gate.restrictionsOf(userId);
    return ageGate === null && (pausedUntil === null || pausedUntil <= clock.nowMs());
  }
}

function accepts({ sex, country }: MatchFilters, person: { sex: 1 | 2; countryId: number }): boolean {
  return (sex === 0 || sex === person.sex) && (country <= 0 || country === person.countryId);
}
