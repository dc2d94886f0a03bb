import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { ringKeptMs, ringMs, ringMuteMs } from "@fava/wire/limits.ts";
import type { RematchRequests } from "#calls/match-service.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import { EndpointError, forbidden, refused } from "#lib/errors.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import { Tasks, Timers } from "#lib/tasks.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { Departure, HubListener } from "#ports/hub-listener.ts";
import {
  type PeerRequests,
  NoOwnerError,
  type PeerKey,
  type Peers,
  PeerTimeoutError,
  personKey,
  type RingSearch,
} from "#ports/peers.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { InvitationService } from "./invitation-service.ts";
import type { Caller, MessageService } from "./message-service.ts";
import type { NotificationService } from "./notification-service.ts";
import type { Ring, RingEvent } from "./ring-machine.ts";
import * as store from "./ring-store.ts";
import type { SocialService } from "./social-service.ts";

const overdueAtOnce = 200;

/** How long an accepted ring allows the two to search for each other. The searches themselves end earlier. */
const acceptedMs = 30_000;

interface AcceptedRings {
  db: Kysely<Database>;
  clock: Clock;
  invitations: Pick<InvitationService, "markUsed">;
}

/** Allows a search for one specific user after mutual rematch requests, or after an accepted ring. */
export function withAcceptedRings(
  requests: RematchRequests,
  { db, clock, invitations }: AcceptedRings,
): RematchRequests {
  const isAccepted = (one: bigint, other: bigint) => {
    const nowMs = clock.nowMs();
    return store.isAcceptedBetween(db, { one, other, since: new Date(nowMs - acceptedMs), now: new Date(nowMs) });
  };
  return {
    bothRequested: async (one, other) =>
      (await Promise.all([requests.bothRequested(one, other), isAccepted(one, other)])).includes(true),
    markFulfilled: async (one, other) => {
      await Promise.all([requests.markFulfilled(one, other), invitations.markUsed(one, other)]);
    },
  };
}

export interface RingCalls {
  /** @throws EndpointError 403 `paused` with `until`; 403 `age_check`. */
  requireStanding(userId: bigint): Promise<void>;
  /** Also true if another server hosts the call. */
  isInCall(userId: bigint): boolean;
  stop(userId: bigint): void;
  /** Ends the user's search and call, and starts a search for one specific user, as for a rematch. */
  start(waits: {
    userId: bigint;
    withUserId: bigint;
    language: string;
    offer: string | null;
    ring: RingSearch;
  }): Promise<{ state: string }>;
}

interface RingServiceOptions {
  mails: Pick<MailOutbox, "add">;
  db: Kysely<Database>;
  social: Pick<SocialService, "cards" | "keepApart">;
  messages: Pick<MessageService, "pushLine">;
  notifications: Pick<NotificationService, "wantsRings" | "notifyOfRing">;
  calls: RingCalls;
  bus: Pick<Bus, "isHere" | "isPresent" | "social">;
  peers: Pick<Peers, "ask" | "serve">;
  limits: Limits;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/**
 * Rings between friends, or after an invitation. The row in the database is the state, so that any server can answer
 * (decision 050). Other servers end the rings of a crashed server by time.
 */
export class RingService implements Pick<HubListener, "arrived" | "gone">, AsyncDisposable {
  readonly #options: RingServiceOptions;
  readonly #tasks: Tasks;
  readonly #timers: Timers;
  /** Until when a present user may have a ring, so that a user without rings costs no query on leaving. */
  readonly #ringingUntil = new Map<bigint, number>();
  readonly #served: readonly Disposable[];

  constructor(options: RingServiceOptions) {
    const { peers } = options;
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#timers = new Timers(options.clock);
    this.#served = [
      peers.serve("mayBeRung", async ({ untilMs }, key) => this.#canBeRung(userOf(key), untilMs)),
      peers.serve("ringAccepted", (accepted, key) => this.#waitForOther(userOf(key), accepted)),
    ];
  }

  /**
   * Rings a friend, or the user who opened the caller's invitation. Ringing again continues the same ring. If the
   * callee rings too, this accepts the callee's ring.
   * @throws EndpointError 403 `not_met` for other users. About the caller: 403 `no_socket`, `paused`, `age_check`; 406
   * `in_call`; 429.
   */
  async ring(caller: Caller, input: { otherId: bigint; offer: string | null }): Promise<OutputOf<Endpoints["ring"]>> {
    const { db, calls, bus, clock, random } = this.#options;
    const { userId } = caller;
    const { otherId, offer } = input;
    if (userId === otherId || !(await this.#mayRing(userId, otherId))) throw forbidden("not_met");
    if (!(await bus.isPresent(userId))) throw forbidden("no_socket");
    if (calls.isInCall(userId)) throw refused("in_call");
    await calls.requireStanding(userId);
    const nowMs = clock.nowMs();
    const untilMs = nowMs + ringMs;
    const between = await store.ringBetween(db, { one: userId, other: otherId, nowMs });
    const reached = between === null ? await this.#checkCallee(userId, { otherId, untilMs }) : null;
    const how = { isFree: reached !== null, isAway: reached === "away" };
    const ring = { id: randomId(random), callerId: userId, calleeId: otherId, atMs: nowMs, untilMs, offer, ...how };
    const beginning = await store.beginRing(db, ring, this.#options.mails);
    switch (beginning.kind) {
      case "stranger":
        throw forbidden("not_met");
      case "unavailable":
        return { state: "unavailable" };
      case "same":
        return ringing(beginning.ring);
      case "begun":
        if (beginning.before) this.#push(beginning.before);
        await this.#ringBegan(beginning.ring);
        return ringing(beginning.ring);
      case "accepted": {
        const { id, untilMs: until } = beginning.change.ring;
        const isConnected = await this.#connect(caller, beginning.change).then(() => true, unlessRefused);
        return isConnected ? { state: "connected", id, until } : { state: "unavailable" };
      }
    }
  }

  /**
   * Accepts or declines a ring. A repeated answer returns the first result.
   * @throws EndpointError 403 `not_in_room` for an ended, unknown or foreign ring, or an absent caller; 403
   * `no_socket`, `paused`, `age_check`; 429.
   */
  async answer(caller: Caller, { id, accept }: { id: string; accept: boolean }): Promise<"connected" | "declined"> {
    const { userId } = caller;
    // Acceptance saves this query: `stepRing` rejects an acceptance by anybody but the callee.
    if (!accept) await this.#ringTo(userId, id);
    const change = await this.#change(
      id,
      accept ? { type: "accepted", byId: userId } : { type: "ended", byId: userId },
    );
    if (change?.state === "accepted") await this.#connect(caller, change);
    const { state } = change ?? (await this.#ringTo(userId, id));
    if (state === "accepted") return "connected";
    if (state === "declined") return "declined";
    throw forbidden("not_in_room");
  }

  /** @throws EndpointError 403 `not_in_room` for an unknown or foreign ring. */
  async cancel(userId: bigint, id: string): Promise<void> {
    const ring = await store.ringById(this.#options.db, id);
    if (ring?.callerId !== userId) throw forbidden("not_in_room");
    await this.#change(id, { type: "ended", byId: userId });
  }

  /**
   * "Not today": rejects the other user's rings for a day, also a current one.
   * @returns until when; null if off.
   * @throws EndpointError 403 `not_met` if the other user may not ring anyway.
   */
  async mute(userId: bigint, otherId: bigint, on: boolean): Promise<Date | null> {
    const { db, clock } = this.#options;
    if (on && !(await this.#mayRing(otherId, userId))) throw forbidden("not_met");
    const nowMs = clock.nowMs();
    const until = on ? new Date(nowMs + ringMuteMs) : null;
    await store.setRingMute(db, { userId, otherId, until });
    const ring = on ? await store.ringBetween(db, { one: userId, other: otherId, nowMs }) : null;
    if (ring?.calleeId === userId) await this.#change(ring.id, { type: "ended", byId: userId });
    return until;
  }

  /** Ends the ring between the two after a block: declined if the callee blocked, cancelled if the caller did. */
  blocked(blockerId: bigint, blockedId: bigint): void {
    const { db, clock } = this.#options;
    this.#tasks.add("failed to end the ring of a blocked user", async () => {
      const ring = await store.ringBetween(db, { one: blockerId, other: blockedId, nowMs: clock.nowMs() });
      if (ring) await this.#change(ring.id, { type: "ended", byId: blockerId });
    });
  }

  arrived(userId: bigint): void {
    const { db, clock } = this.#options;
    this.#tasks.add("failed to push a ring", async () => {
      const ring = await store.ringOfPerson(db, userId, clock.nowMs());
      if (ring?.calleeId !== userId) return;
      this.#noteRing(userId, ring.untilMs);
      await this.#pushToCallee(ring);
    });
  }

  gone(userId: bigint, how: Departure): void {
    const { db, clock } = this.#options;
    if ((this.#ringingUntil.get(userId) ?? 0) <= clock.nowMs()) return;
    this.#tasks.add("failed to end the ring of a user who left", async () => {
      const ring = await store.ringOfPerson(db, userId, clock.nowMs());
      if (ring?.callerId === userId && how !== "moved") await this.#change(ring.id, { type: "ended", byId: userId });
      // Not for a closed page that may return: the callee can still accept.
      if (ring?.calleeId === userId && forGood.has(how)) await this.#change(ring.id, { type: "left", userId });
    });
  }

  async tidy(): Promise<void> {
    const { db, clock } = this.#options;
    await this.#endOverdue();
    const nowMs = clock.nowMs();
    await store.deleteOldRings(db, { before: new Date(nowMs - ringKeptMs), now: new Date(nowMs) });
  }

  idle(): Promise<void> {
    return this.#tasks.idle();
  }

  /** Rings continue, and other servers end them. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const served of this.#served) served[Symbol.dispose]();
    this.#timers[Symbol.dispose]();
    await this.idle();
  }

  #mayRing(callerId: bigint, calleeId: bigint): Promise<boolean> {
    const { db, clock } = this.#options;
    return store.mayRing(db, { callerId, calleeId, now: new Date(clock.nowMs()) });
  }

  /**
   * Checks everything in parallel after the limits, so that neither the time nor a limit reveals why a callee is
   * unavailable.
   * @returns `here` if the callee has a page open, `away` if there is a browser to notify, otherwise null.
   */
  async #checkCallee(
    userId: bigint,
    { otherId, untilMs }: { otherId: bigint; untilMs: number },
  ): Promise<"here" | "away" | null> {
    const { limits, calls, peers, bus, notifications } = this.#options;
    await takeFromLimit(limits, "ringByPair", `${userId} ${otherId}`);
    await takeFromLimit(limits, "ringByUser", String(userId));
    const [mayMatch, answer, isPresent, wantsRings] = await Promise.all([
      calls.requireStanding(otherId).then(() => true, unlessRefused),
      peers.ask("mayBeRung", personKey(otherId), { untilMs }).then((mayBe) => (mayBe ? "here" : "busy"), unlessAway),
      bus.isPresent(otherId),
      notifications.wantsRings(otherId),
    ]);
    if (!mayMatch) return null;
    if (answer === "here") return "here";
    return answer === "away" && !isPresent && wantsRings ? "away" : null;
  }

  async #ringBegan(ring: Ring): Promise<void> {
    const { calls, social, notifications } = this.#options;
    const { callerId, calleeId, untilMs } = ring;
    calls.stop(callerId);
    this.#noteRing(callerId, untilMs);
    await social.keepApart(callerId, calleeId, false);
    await this.#pushToCallee(ring);
    if (ring.isAway) notifications.notifyOfRing({ ring, isStillRinging: () => this.#isUnseen(ring) });
  }

  async #isUnseen({ id, calleeId }: Ring): Promise<boolean> {
    const { db, bus, clock } = this.#options;
    return !(await bus.isPresent(calleeId)) && store.isRinging(db, id, new Date(clock.nowMs()));
  }

  /**
   * Starts both searches.
   * @throws EndpointError as `answer`; the ring then becomes missed.
   */
  async #connect({ userId, language }: Caller, change: store.RingChange): Promise<void> {
    const { calls, social, peers, clock } = this.#options;
    const { ring, offer } = change;
    const { id, callerId } = ring;
    this.#push(change);
    try {
      const own = { id, sinceMs: clock.nowMs() };
      const [started] = await Promise.all([
        calls.start({ userId, withUserId: callerId, language, offer: null, ring: own }),
        social.keepApart(userId, callerId, false),
      ]);
      const theirs = { ring: { id, sinceMs: ring.atMs }, otherId: userId, language: change.language, offer };
      const waits =
        started.state === "searching" &&
        (await peers.ask("ringAccepted", personKey(callerId), theirs).catch(unlessReached));
      if (!waits) throw forbidden("not_in_room");
    } catch (error) {
      const failed = await this.#change(id, { type: "failed" });
      if (failed) calls.stop(userId);
      throw error;
    }
  }

  #canBeRung(userId: bigint, untilMs: number): boolean {
    const { bus, calls } = this.#options;
    if (!bus.isHere(userId)) throw new NoOwnerError("the user is not at this server");
    this.#noteRing(userId, untilMs);
    return !calls.isInCall(userId);
  }

  async #waitForOther(userId: bigint, accepted: PeerRequests["ringAccepted"]["in"]): Promise<boolean> {
    const { bus, calls } = this.#options;
    const { ring, otherId, language, offer } = accepted;
    if (!bus.isHere(userId)) throw new NoOwnerError("the user is not at this server");
    if (calls.isInCall(userId)) return false;
    const started = calls.start({ userId, withUserId: otherId, language, offer, ring });
    return started.then(({ state }) => state === "searching", unlessRefused);
  }

  async #endOverdue(): Promise<void> {
    const { db, clock } = this.#options;
    for (const id of await store.overdueRings(db, { nowMs: clock.nowMs(), rows: overdueAtOnce }))
      await this.#change(id, { type: "expired" });
  }

  /** @throws EndpointError 403 `not_in_room` for an unknown or foreign ring. */
  async #ringTo(userId: bigint, id: string): Promise<Ring> {
    const ring = await store.ringById(this.#options.db, id);
    if (ring?.calleeId !== userId) throw forbidden("not_in_room");
    return ring;
  }

  async #change(id: string, event: RingEvent): Promise<store.RingChange | null> {
    const { db, clock, mails } = this.#options;
    const change = await store.changeRing(db, id, { event, nowMs: clock.nowMs(), mails });
    // `#connect` notifies after an acceptance.
    if (change && change.state !== "accepted") this.#push(change);
    return change;
  }

  #push({ ring, notified, line }: store.RingChange): void {
    const { bus, messages } = this.#options;
    const { id, callerId, calleeId } = ring;
    for (const { userId, why } of notified) bus.social(userId, { kind: "ring_over", id, why });
    if (line) this.#tasks.add("failed to push a missed ring", () => messages.pushLine([callerId, calleeId], line));
  }

  /** Pushes the ring to the callee, unless the two are hidden from each other. */
  async #pushToCallee({ id, callerId, calleeId, untilMs: until }: Ring): Promise<void> {
    const { social, bus } = this.#options;
    const card = (await social.cards(calleeId, [callerId], "en")).get(callerId);
    if (!card) return;
    const { user_id: userId, externalId, nickname, avatar } = card;
    bus.social(calleeId, { kind: "ring", id, from: { userId, externalId, nickname, avatar }, until });
  }

  /** Remembers a ring and ends it on time. Both users' homes do so, since one of them may crash. */
  #noteRing(userId: bigint, untilMs: number): void {
    const { clock } = this.#options;
    this.#ringingUntil.set(userId, Math.max(untilMs, this.#ringingUntil.get(userId) ?? 0));
    this.#timers.after(untilMs - clock.nowMs(), () => {
      if ((this.#ringingUntil.get(userId) ?? 0) <= clock.nowMs()) this.#ringingUntil.delete(userId);
      this.#tasks.add("failed to end an expired ring", () => this.#endOverdue());
    });
  }
}

/** Departures after which no page of the user reconnects by itself. */
const forGood: ReadonlySet<Departure> = new Set(["closed", "kicked", "banned"]);

function ringing({ id, untilMs: until }: Ring) {
  return { state: "ringing", id, until } as const;
}

function userOf(key: PeerKey): bigint {
  return BigInt(key.slice(key.indexOf(":") + 1));
}

function unlessRefused(error: unknown): false {
  if (error instanceof EndpointError) return false;
  throw error;
}

function unlessReached(error: unknown): false {
  unlessAway(error);
  return false;
}

/** `away`: the user is at no server. `silent`: the user's server did not answer, so the user may be in a call. */
function unlessAway(error: unknown): "away" | "silent" {
  if (error instanceof NoOwnerError) return "away";
  if (error instanceof PeerTimeoutError) return "silent";
  throw error;
}
