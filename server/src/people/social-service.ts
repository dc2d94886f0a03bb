import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { apartMs, recentMs } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { FollowStatus, LikeStatus, Person, Presence } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import { countryName } from "#lib/country-name.ts";
import { Emitter } from "#lib/emitter.ts";
import { badInput, forbidden, slowDown } from "#lib/errors.ts";
import { KeyedMutex, pairKey } from "#lib/keyed-mutex.ts";
import { Tasks, Timers } from "#lib/tasks.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { Directory, UnwrittenCall, UnwrittenCalls } from "#ports/directory.ts";
import type { PeerEvents } from "#ports/peers.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { TemporaryStore } from "#ports/temporary-store.ts";
import { BlockCache } from "./block-cache.ts";
import { flagAddress } from "./country-service.ts";
import * as directory from "./directory-store.ts";
import { UserPushQueue } from "./user-push-queue.ts";
import type { PresenceSite } from "./remote-friends.ts";
import { PresenceRegistry } from "./presence.ts";
import * as relations from "./relation-store.ts";

interface SocialServiceOptions {
  db: Kysely<Database>;
  bus: Pick<Bus, "social" | "pass" | "isPresent">;
  /** Unread messages of visible conversations. Message requests do not count. */
  unreadTotal: (userId: bigint) => Promise<number>;
  unwrittenCalls: UnwrittenCalls;
  temporaryStore: TemporaryStore;
  limits: Limits;
  clock: Clock;
  logger: Logger;
  /** The other servers; undefined for a single server. */
  site?: PresenceSite;
}

const blocksKeptMax = 5_000_000;
const languageDefault = "en";

export class SocialService implements Directory, AsyncDisposable {
  readonly presence: PresenceRegistry;
  readonly blocks: BlockCache;
  readonly found: FoundPeople;
  readonly #options: SocialServiceOptions;
  readonly pushQueue = new UserPushQueue();
  /** Serializes changes of a pair, so that pushes have the order of changes. */
  readonly #pairs = new KeyedMutex<string>();
  /** As `actor:other`: follows whose push waits for the end of the minute after the previous push. */
  readonly #delayedFollows = new Set<string>();
  readonly #timers: Timers;
  readonly #late: Tasks;
  readonly #blocked = new Emitter<[blockerId: bigint, blockedId: bigint]>();
  readonly #blockChanged = new Emitter<[change: PeerEvents["blocked"]]>();
  readonly #apartChanged = new Emitter<[change: PeerEvents["apart"]]>();
  readonly #rematchAgreed = new Emitter<[userId: bigint, otherId: bigint]>();
  readonly #friendshipChanged = new Emitter<[change: PeerEvents["friendship"]]>();

  constructor(options: SocialServiceOptions) {
    const { db, bus, logger, site, clock } = options;
    this.#options = options;
    this.#timers = new Timers(clock);
    this.#late = new Tasks({ logger });
    this.found = new FoundPeople(options);
    this.blocks = new BlockCache({
      read: (userId) => directory.readExclusions(db, userId, this.#now()),
      entriesMax: blocksKeptMax,
    });
    const read = (userId: bigint) => this.#presenceFacts(userId);
    this.presence = new PresenceRegistry({ bus, logger, read, ...(site && { site }) });
  }

  /** Calls the listener with every block on any server, after the commit and before anybody is notified. */
  onBlocked(listener: (blockerId: bigint, blockedId: bigint) => void): Disposable {
    return this.#blocked.on(listener);
  }

  /** Calls the listener with blocks that this server stored. */
  onBlockChanged(listener: (change: PeerEvents["blocked"]) => void): Disposable {
    return this.#blockChanged.on(listener);
  }

  onApartChanged(listener: (change: PeerEvents["apart"]) => void): Disposable {
    return this.#apartChanged.on(listener);
  }

  /** Calls the listener when `userId` has sent the second of two rematch requests. */
  onRematchAgreed(listener: (userId: bigint, otherId: bigint) => void): Disposable {
    return this.#rematchAgreed.on(listener);
  }

  /** Calls the listener with friendships that this server changed. For the end by a block see `onBlockChanged`. */
  onFriendshipChanged(listener: (change: PeerEvents["friendship"]) => void): Disposable {
    return this.#friendshipChanged.on(listener);
  }

  remoteFriendshipChanged({ one, other, areFriends }: PeerEvents["friendship"]): void {
    this.presence.friendshipChanged(one, other, areFriends);
  }

  remoteBlockChanged({ blockerId, blockedId, isBlocked }: PeerEvents["blocked"]): void {
    this.blocks.changed({ userId: blockerId, otherId: blockedId, kind: "block", on: isBlocked });
    if (!isBlocked) return;
    this.presence.friendshipChanged(blockerId, blockedId, false);
    this.#blocked.emit(blockerId, blockedId);
  }

  apartChanged({ userId, otherId, isApart }: PeerEvents["apart"]): void {
    this.blocks.changed({ userId, otherId, kind: "apart", on: isApart });
  }

  async cards(viewerId: bigint, ids: readonly bigint[], language: string): Promise<ReadonlyMap<bigint, Person>> {
    const rows = await directory.cardRows(this.#options.db, viewerId, ids);
    const presences = await this.presencesOf(rows);
    return new Map(rows.map((row) => [row.id, this.personOf(row, language, presences)]));
  }

  /** Presence of those among these users who are friends, at any server. */
  async presencesOf(rows: readonly directory.CardRow[]): Promise<ReadonlyMap<bigint, Presence>> {
    const friends = rows.filter(({ followStatus }) => followStatus === 2);
    const found = friends.map(async ({ id }) => [id, await this.presence.presenceAnywhere(id)] as const);
    return new Map(await Promise.all(found));
  }

  personOf(row: directory.CardRow, language: string, presences: ReadonlyMap<bigint, Presence>): Person {
    return {
      user_id: Number(row.id),
      externalId: row.external_id,
      nickname: row.nickname,
      avatar: avatarAddress(row.avatar_key),
      sex: row.sex,
      country_id: row.country_id,
      country_name: countryName(row.country_id, language),
      country_flag: flagAddress(row.country_id),
      followStatus: row.followStatus,
      likeStatus: row.likeStatus,
      presence: row.followStatus === 2 ? (presences.get(row.id) ?? "offline") : null,
    };
  }

  isHidden(one: bigint, other: bigint): Promise<boolean> {
    return directory.readHidden(this.#options.db, one, other);
  }

  areFriends(one: bigint, other: bigint): Promise<boolean> {
    return directory.readFriends(this.#options.db, one, other);
  }

  async isKnown(viewerId: bigint, otherId: bigint): Promise<boolean> {
    if (viewerId === otherId) return true;
    return (await this.isAcquainted(viewerId, otherId)) && !(await this.isHidden(viewerId, otherId));
  }

  async isAcquainted(viewerId: bigint, otherId: bigint): Promise<boolean> {
    const pair = { one: viewerId, other: otherId, since: this.#recent() };
    return this.#hadCall(viewerId, otherId, {
      isIt: () => true,
      isStored: async () =>
        (await directory.isAcquainted(this.#options.db, pair)) || (await this.found.has(viewerId, otherId)),
    });
  }

  /** Whether the two had a call in which both saw each other. */
  haveMet(one: bigint, other: bigint): Promise<boolean> {
    return this.#hadCall(one, other, {
      isIt: ({ connectedAtMs }) => connectedAtMs !== null,
      isStored: () => directory.haveMet(this.#options.db, { one, other, since: this.#recent() }),
    });
  }

  unwrittenHere(userId: bigint): readonly UnwrittenCall[] {
    return this.#options.unwrittenCalls.here(userId);
  }

  unwrittenCalls(one: bigint, other: bigint): Promise<readonly UnwrittenCall[]> {
    return this.#options.unwrittenCalls.between(one, other);
  }

  async byExternalId(externalId: string): Promise<{ userId: bigint; official: boolean } | null> {
    const found = await directory.personByExternalId(this.#options.db, externalId);
    return found ? { userId: found.id, official: found.official } : null;
  }

  friendIds(userId: bigint): Promise<readonly bigint[]> {
    return directory.friendIds(this.#options.db, userId);
  }

  /**
   * Follows, or unfollows if `on` is false; toggles if `on` is null. Notifies both, the other user at most once a
   * minute.
   * @throws EndpointError 400 for oneself; 403 `not_met`; 406 `too_many`.
   */
  async follow(userId: bigint, otherId: bigint, on: boolean | null): Promise<FollowStatus> {
    await this.#requireKnown(userId, otherId, "followUserId");
    return this.#pairs.run(pairKey(userId, otherId), async () => {
      const { db } = this.#options;
      const after = await relations.setRelation(db, "follows", { userId, otherId, at: this.#now(), on });
      const { actor, other } = after;
      if (after.changed) {
        this.#befriended(userId, otherId, actor.follows && other.follows);
        await Promise.all([this.#pushRelation(actor, other), this.#pushFollow(other, actor)]);
      }
      return relations.followStatusOf(actor, other);
    });
  }

  /**
   * Likes, or unlikes if `on` is false; toggles if `on` is null. Does not notify the other user.
   * @throws EndpointError 400 for oneself; 403 `not_met`; 406 `too_many`.
   */
  async like(userId: bigint, otherId: bigint, on: boolean | null): Promise<LikeStatus> {
    await this.#requireKnown(userId, otherId, "likeUserId");
    return this.#pairs.run(pairKey(userId, otherId), async () => {
      const { db } = this.#options;
      const { changed, actor, other } = await relations.setRelation(db, "likes", {
        userId,
        otherId,
        at: this.#now(),
        on,
      });
      if (changed) await this.#pushRelation(actor, other);
      return relations.likeStatusOf(actor);
    });
  }

  /**
   * Blocks a user: hides the two from each other at once and ends their relations.
   * @throws EndpointError 400 for oneself; 403 `not_met`, but never because the other user blocked first; 406
   * `too_many`.
   */
  async block(userId: bigint, otherId: bigint): Promise<void> {
    requireOther(userId, otherId, "other_id");
    if (!(await this.isAcquainted(userId, otherId))) throw forbidden("not_met");
    await this.#pairs.run(pairKey(userId, otherId), async () => {
      const after = await relations.setBlock(this.#options.db, { userId, otherId, at: this.#now() });
      if (!after.changed) return;
      this.blocks.changed({ userId, otherId, kind: "block", on: true });
      this.#blockChanged.emit({ blockerId: userId, blockedId: otherId, isBlocked: true });
      this.presence.friendshipChanged(userId, otherId, false);
      this.#blocked.emit(userId, otherId);
      await Promise.all([this.#pushHidden(userId, after.other), this.#pushHidden(otherId, after.actor)]);
    });
  }

  async unblock(userId: bigint, otherId: bigint): Promise<void> {
    await this.#pairs.run(pairKey(userId, otherId), async () => {
      const removed = await relations.removeBlock(this.#options.db, userId, otherId);
      if (!removed) return;
      this.blocks.changed({ userId, otherId, kind: "block", on: false });
      this.#blockChanged.emit({ blockerId: userId, blockedId: otherId, isBlocked: false });
    });
  }

  /**
   * Avoids a user for 90 days, or no longer. Does not notify the other user. Calls and relations stay, except the
   * user's own rematch request.
   * @returns until when; null if off.
   * @throws EndpointError 400 for oneself; 403 `not_met`; 406 `too_many`.
   */
  async keepApart(userId: bigint, otherId: bigint, on: boolean): Promise<Date | null> {
    requireOther(userId, otherId, "other_id");
    if (on && !(await this.haveMet(userId, otherId))) throw forbidden("not_met");
    return this.#pairs.run(pairKey(userId, otherId), async () => {
      const { db } = this.#options;
      const at = this.#now();
      const until = new Date(at.getTime() + apartMs);
      if (on) await relations.setApart(db, { userId, otherId, at, until });
      else if (!(await relations.removeApart(db, userId, otherId))) return null;
      this.#changeApart(userId, otherId, on);
      return on ? until : null;
    });
  }

  /**
   * Sends or withdraws a rematch request. Notifies both once both have sent one.
   * @throws EndpointError 400 for oneself; 403 `not_met`.
   */
  async sendRematchRequest(userId: bigint, otherId: bigint, on: boolean): Promise<"none" | "asked" | "both"> {
    requireOther(userId, otherId, "other_id");
    if (on && !(await this.haveMet(userId, otherId))) throw forbidden("not_met");
    return this.#pairs.run(pairKey(userId, otherId), async () => {
      const change = { userId, otherId, at: this.#now(), on, since: this.#recent() };
      const { wasAsked, otherAsked, wasApart } = await relations.setRematchRequest(this.#options.db, change);
      if (wasApart) this.#changeApart(userId, otherId, false);
      if (!on) return "none";
      if (otherAsked && !wasAsked) {
        this.#rematchAgreed.emit(userId, otherId);
        if ((await this.#secondsUntilPush("meet", userId, otherId)) === null)
          await this.#pushMutualRematch(userId, otherId);
      }
      return otherAsked ? "both" : "asked";
    });
  }

  /**
   * Each request required a call, so this looks for none. It must not wait for servers, since a session may be moving.
   */
  async bothRequested(one: bigint, other: bigint): Promise<boolean> {
    const [requested, hidden] = await Promise.all([
      relations.bothRequestRematch(this.#options.db, { one, other, since: this.#recent() }),
      this.isHidden(one, other),
    ]);
    return requested && !hidden;
  }

  async markFulfilled(one: bigint, other: bigint): Promise<void> {
    await relations.removeRematchRequests(this.#options.db, one, other);
  }

  /** Notifies present users who have the deleted account in a list or conversation. */
  async announceDeletion(userId: bigint): Promise<void> {
    const { db, bus } = this.#options;
    const [externalId, contacts] = await Promise.all([
      directory.externalIdOf(db, userId),
      directory.contactIds(db, userId),
    ]);
    if (externalId === undefined) return;
    const deleted = { userId, externalId };
    for (const contactId of contacts) {
      if (!(await bus.isPresent(contactId))) continue;
      this.#befriended(userId, contactId, false);
      await this.#pushHidden(contactId, deleted);
    }
  }

  idle(): Promise<void> {
    return this.#late.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timers[Symbol.dispose]();
    await this.idle();
    await this.presence[Symbol.asyncDispose]();
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }

  #recent(): Date {
    return new Date(this.#options.clock.nowMs() - recentMs);
  }

  async #presenceFacts(userId: bigint) {
    const [externalId, friendIds] = await Promise.all([
      directory.externalIdOf(this.#options.db, userId),
      this.friendIds(userId),
    ]);
    return { externalId: externalId ?? "", friendIds };
  }

  /** Looks in the cheapest place first: this server, then the database, then the servers of the two users. */
  async #hadCall(
    one: bigint,
    other: bigint,
    { isIt, isStored }: { isIt: (call: UnwrittenCall) => boolean; isStored: () => Promise<boolean> },
  ): Promise<boolean> {
    const { unwrittenCalls } = this.#options;
    if (unwrittenCalls.here(one).some((call) => call.otherId === other && isIt(call))) return true;
    return (await isStored()) || (await unwrittenCalls.between(one, other)).some(isIt);
  }

  async #requireKnown(userId: bigint, otherId: bigint, field: string): Promise<void> {
    requireOther(userId, otherId, field);
    if (!(await this.isKnown(userId, otherId))) throw forbidden("not_met");
  }

  #changeApart(userId: bigint, otherId: bigint, isApart: boolean): void {
    this.apartChanged({ userId, otherId, isApart });
    this.#apartChanged.emit({ userId, otherId, isApart });
  }

  #befriended(one: bigint, other: bigint, areFriends: boolean): void {
    this.presence.friendshipChanged(one, other, areFriends);
    this.#friendshipChanged.emit({ one, other, areFriends });
  }

  /** Null if the other user may be notified of this kind now; otherwise the seconds to wait. */
  #secondsUntilPush(kind: "follow" | "meet", actorId: bigint, otherId: bigint): Promise<number | null> {
    return this.#options.limits.take("relationEventByPair", `${kind}:${actorId}:${otherId}`);
  }

  /** Notifies of a follow, at most once a minute. Reports a later change when the minute ends. */
  async #pushFollow(viewer: relations.Partner, actor: relations.Partner): Promise<void> {
    const key = `${actor.userId}:${viewer.userId}`;
    if (this.#delayedFollows.has(key)) return;
    const waitSeconds = await this.#secondsUntilPush("follow", actor.userId, viewer.userId);
    if (waitSeconds === null) return this.#pushRelation(viewer, actor);
    this.#delayedFollows.add(key);
    this.#timers.after(waitSeconds * 1_000, () => {
      this.#delayedFollows.delete(key);
      this.#late.add("failed to push a follow", () => this.#pushFollowNow(actor.userId, viewer.userId));
    });
  }

  async #pushFollowNow(actorId: bigint, viewerId: bigint): Promise<void> {
    await this.#pairs.run(pairKey(actorId, viewerId), async () => {
      const pair = await relations.readVisiblePair(this.#options.db, actorId, viewerId);
      if (pair) await this.#pushFollow(pair.other, pair.actor);
    });
  }

  async #pushRelation(viewer: relations.Partner, other: relations.Partner): Promise<void> {
    const followStatus = relations.followStatusOf(viewer, other);
    const presence = followStatus === 2 ? await this.presence.presenceAnywhere(other.userId) : null;
    this.#options.bus.social(viewer.userId, {
      kind: "relation",
      userId: Number(other.userId),
      externalId: other.externalId,
      followStatus,
      likeStatus: relations.likeStatusOf(viewer),
      isContact: followStatus === 2 || other.official,
      presence,
    });
  }

  async #pushHidden(viewerId: bigint, hidden: { userId: bigint; externalId: string }): Promise<void> {
    const { bus, unreadTotal } = this.#options;
    if (!(await bus.isPresent(viewerId))) return;
    const { userId, externalId } = hidden;
    await this.pushQueue.run(viewerId, async () => {
      const unread_total = await unreadTotal(viewerId);
      bus.social(viewerId, { kind: "hidden", userId: Number(userId), externalId, unread_total });
    });
  }

  async #pushMutualRematch(one: bigint, other: bigint): Promise<void> {
    for (const [viewerId, wantedId] of [
      [one, other],
      [other, one],
    ] as const) {
      const person = (await this.cards(viewerId, [wantedId], languageDefault)).get(wantedId);
      if (person) this.#options.bus.social(viewerId, meetEvent(person, "both"));
    }
  }
}

function meetEvent({ user_id, externalId, nickname, avatar }: Person, state: "both"): SocialEvent {
  return { kind: "meet", userId: user_id, externalId, nickname, avatar, state };
}

function requireOther(userId: bigint, otherId: bigint, field: string): void {
  if (userId === otherId) throw badInput("must be another user", field);
}

/** Remembers users whom a search found, so that the searching user may open their profiles. */
class FoundPeople {
  readonly #memory: TemporaryStore;
  readonly #limits: Limits;

  constructor({ temporaryStore, limits }: Pick<SocialServiceOptions, "temporaryStore" | "limits">) {
    this.#memory = temporaryStore;
    this.#limits = limits;
  }

  /**
   * Counts found users whom this user has not browsed within a day.
   * @throws EndpointError 429 for more than `browsedPeoplePerDayMax`; 503 if the temporary store is unavailable.
   */
  async countBrowsed(userId: bigint, foundIds: readonly bigint[]): Promise<void> {
    const keys = foundIds.map((id) => `${userId}:${id}`);
    const remembered = await Promise.all(keys.map((key) => this.#memory.recall("browsedPerson", key)));
    const newKeys = keys.filter((_key, at) => remembered[at] === null);
    if (newKeys.length === 0) return;
    const retryAfter = await this.#limits.take("browsedPeopleByUser", String(userId), newKeys.length);
    if (retryAfter !== null) throw slowDown(retryAfter);
    await this.#memory.remember("browsedPerson", new Map(newKeys.map((key) => [key, ""])));
  }

  /** @throws EndpointError 503 if the temporary store is unavailable, as `has` does. */
  async remember(userId: bigint, foundIds: Iterable<bigint>): Promise<void> {
    await this.#memory.remember("foundPerson", new Map(Array.from(foundIds, (id) => [`${userId}:${id}`, ""])));
  }

  async has(userId: bigint, foundId: bigint): Promise<boolean> {
    return (await this.#memory.recall("foundPerson", `${userId}:${foundId}`)) !== null;
  }
}
