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
import type { Told } from "#ports/peers.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { ShortMemory } from "#ports/short-memory.ts";
import { BlockCache } from "./block-cache.ts";
import { flagAddress } from "./country-service.ts";
import * as directory from "./directory-store.ts";
import { PersonTurns } from "./person-turns.ts";
import type { PresenceSite } from "./friends-elsewhere.ts";
import { PresenceRegistry } from "./presence.ts";
import * as relations from "./relation-store.ts";

interface SocialServiceOptions {
  db: Kysely<Database>;
  bus: Pick<Bus, "social" | "pass" | "isPresent">;
  /** Unread messages of all conversations that are no requests and not hidden. */
  unreadTotal: (userId: bigint) => Promise<number>;
  unwrittenCalls: UnwrittenCalls;
  shortMemory: ShortMemory;
  limits: Limits;
  clock: Clock;
  logger: Logger;
  /** The other processes; left out where this one is alone. */
  site?: PresenceSite;
}

const blocksKeptMax = 5_000_000;
const languageDefault = "en";

/** Who people are to each other, and how both sides hear of it when that changes. */
export class SocialService implements Directory, AsyncDisposable {
  readonly presence: PresenceRegistry;
  /** Whom everybody who searches is not to meet; hears from the hub who is gone. */
  readonly blocks: BlockCache;
  readonly found: FoundPeople;
  readonly #options: SocialServiceOptions;
  /** The message service tells in the same turns. */
  readonly turns = new PersonTurns();
  /** What two people are told comes in the order in which it happened between them. */
  readonly #pairs = new KeyedMutex<string>();
  /** Follows of which the other is told when the minute after the last event is over, each `actor:other`. */
  readonly #toldLater = new Set<string>();
  readonly #timers: Timers;
  readonly #late: Tasks;
  readonly #blocked = new Emitter<[blockerId: bigint, blockedId: bigint]>();
  readonly #blockChanged = new Emitter<[change: Told["blocked"]]>();
  readonly #apartChanged = new Emitter<[change: Told["apart"]]>();
  readonly #friendshipChanged = new Emitter<[change: Told["friendship"]]>();

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

  /** Called at every block, once it is stored and before anybody hears of it. */
  onBlocked(listener: (blockerId: bigint, blockedId: bigint) => void): Disposable {
    return this.#blocked.on(listener);
  }

  /** Called with every block and every end of one that was stored here. */
  onBlockChanged(listener: (change: Told["blocked"]) => void): Disposable {
    return this.#blockChanged.on(listener);
  }

  /** Called whenever somebody chose here not to meet another again, and when that ends. */
  onApartChanged(listener: (change: Told["apart"]) => void): Disposable {
    return this.#apartChanged.on(listener);
  }

  /** Called whenever two have become friends here, or are friends no longer. */
  onFriendshipChanged(listener: (change: Told["friendship"]) => void): Disposable {
    return this.#friendshipChanged.on(listener);
  }

  /** The same at another process. */
  friendshipChangedElsewhere({ one, other, areFriends }: Told["friendship"]): void {
    this.presence.friendshipChanged(one, other, areFriends);
  }

  /** Another process stored a block, or the end of one. */
  blockChangedElsewhere({ blockerId, blockedId, isBlocked }: Told["blocked"]): void {
    this.blocks.changed({ userId: blockerId, otherId: blockedId, kind: "block", on: isBlocked });
    if (!isBlocked) return;
    this.presence.friendshipChanged(blockerId, blockedId, false);
    this.#blocked.emit(blockerId, blockedId);
  }

  /** It is stored, here or by another process, that somebody does not want to meet another again, or may. */
  apartChanged({ userId, otherId, isApart }: Told["apart"]): void {
    this.blocks.changed({ userId, otherId, kind: "apart", on: isApart });
  }

  async cards(viewerId: bigint, ids: readonly bigint[], language: string): Promise<ReadonlyMap<bigint, Person>> {
    const rows = await directory.cardRows(this.#options.db, viewerId, ids);
    const presences = await this.presencesOf(rows);
    return new Map(rows.map((row) => [row.id, this.personOf(row, language, presences)]));
  }

  /** Whether the friends among them are here, at whichever process. */
  async presencesOf(rows: readonly directory.CardRow[]): Promise<ReadonlyMap<bigint, Presence>> {
    const friends = rows.filter(({ followStatus }) => followStatus === 2);
    const found = friends.map(async ({ id }) => [id, await this.presence.presenceAnywhere(id)] as const);
    return new Map(await Promise.all(found));
  }

  /** What `cards` says of a row that was read along with something else. From memory: costs no query. */
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

  /** Counts a call only where both saw each other. */
  haveMet(one: bigint, other: bigint): Promise<boolean> {
    return this.#hadCall(one, other, {
      isIt: ({ connectedAtMs }) => connectedAtMs !== null,
      isStored: () => directory.haveMet(this.#options.db, { one, other, since: this.#recent() }),
    });
  }

  /** The person's calls at this server that the database may not have yet. */
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
   * Follows or unfollows; turns it round where `on` is null. Both sides hear of it, the other once a minute at most.
   *
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
        await Promise.all([this.#tellRelation(actor, other), this.#tellFollow(other, actor)]);
      }
      return relations.followStatusOf(actor, other);
    });
  }

  /**
   * Likes or takes it back; turns it round where `on` is null. Whoever is liked does not learn it.
   *
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
      if (changed) await this.#tellRelation(actor, other);
      return relations.likeStatusOf(actor);
    });
  }

  /**
   * Blocks: at once the two are hidden from each other, and what they were to each other is over.
   *
   * @throws EndpointError 400 for oneself; 403 `not_met`, though never because the other has blocked first; 406 `too_many`.
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
      await Promise.all([this.#tellHidden(userId, after.other), this.#tellHidden(otherId, after.actor)]);
    });
  }

  /** Nothing of what the two were comes back. */
  async unblock(userId: bigint, otherId: bigint): Promise<void> {
    await this.#pairs.run(pairKey(userId, otherId), async () => {
      const removed = await relations.removeBlock(this.#options.db, userId, otherId);
      if (!removed) return;
      this.blocks.changed({ userId, otherId, kind: "block", on: false });
      this.#blockChanged.emit({ blockerId: userId, blockedId: otherId, isBlocked: false });
    });
  }

  /**
   * Keeps the two from being matched for 90 days from now, or lets them be again. The other learns nothing of it, a call
   * goes on, and what the two are to each other stays, but for the own wish to meet again.
   *
   * @returns until when.
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
   * Says, or takes back, that one would like to meet again; both hear of it when both do.
   *
   * @throws EndpointError 400 for oneself; 403 `not_met`.
   */
  async sendRematchRequest(userId: bigint, otherId: bigint, on: boolean): Promise<"none" | "asked" | "both"> {
    requireOther(userId, otherId, "other_id");
    if (on && !(await this.haveMet(userId, otherId))) throw forbidden("not_met");
    return this.#pairs.run(pairKey(userId, otherId), async () => {
      const deed = { userId, otherId, at: this.#now(), on, since: this.#recent() };
      const { wasAsked, otherAsked, wasApart } = await relations.setRematchRequest(this.#options.db, deed);
      if (wasApart) this.#changeApart(userId, otherId, false);
      if (!on) return "none";
      if (otherAsked && !wasAsked && (await this.#waitToTell("meet", userId, otherId)) === null)
        await this.#tellBothWish(userId, otherId);
      return otherAsked ? "both" : "asked";
    });
  }

  /**
   * Whether both want to meet again, and may. A wish is accepted only of users who have met. Other servers are not asked
   * for the call: this check runs while a session moves, and would wait for the server that it moves to.
   */
  async bothRequested(one: bigint, other: bigint): Promise<boolean> {
    const [wish, hidden] = await Promise.all([
      relations.bothRequestRematch(this.#options.db, { one, other, since: this.#recent() }),
      this.isHidden(one, other),
    ]);
    return wish && !hidden;
  }

  /** The two have met again. */
  async markFulfilled(one: bigint, other: bigint): Promise<void> {
    await relations.removeRematchRequests(this.#options.db, one, other);
  }

  /** The person deleted the account: whoever is here and has them in a list or conversation hears of it. */
  async vanish(userId: bigint): Promise<void> {
    const { db, bus } = this.#options;
    const [names, onlookers] = await Promise.all([directory.namesOf(db, userId), directory.onlookerIds(db, userId)]);
    if (!names) return;
    const vanished = { userId, externalId: names.external_id };
    for (const onlookerId of onlookers) {
      if (!(await bus.isPresent(onlookerId))) continue;
      this.#befriended(userId, onlookerId, false);
      await this.#tellHidden(onlookerId, vanished);
    }
  }

  /** Resolves when nobody is being told anything that had to wait. */
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
    const [names, friendIds] = await Promise.all([directory.namesOf(this.#options.db, userId), this.friendIds(userId)]);
    return { externalId: names?.external_id ?? "", friendIds };
  }

  /** Asks what costs least first: this server, the database, and the servers of the two only where both know of nothing. */
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

  /** Null where the other may be told something of this kind now; otherwise the seconds until then. */
  #waitToTell(kind: "follow" | "meet", actorId: bigint, otherId: bigint): Promise<number | null> {
    return this.#options.limits.take("relationEventByPair", `${kind}:${actorId}:${otherId}`);
  }

  /** Tells the other of a follow, or within a minute of the event before how the two stand once that minute is over. */
  async #tellFollow(viewer: relations.Partner, actor: relations.Partner): Promise<void> {
    const key = `${actor.userId}:${viewer.userId}`;
    if (this.#toldLater.has(key)) return;
    const waitSeconds = await this.#waitToTell("follow", actor.userId, viewer.userId);
    if (waitSeconds === null) return this.#tellRelation(viewer, actor);
    this.#toldLater.add(key);
    this.#timers.after(waitSeconds * 1_000, () => {
      this.#toldLater.delete(key);
      this.#late.add("a follow was not told", () => this.#tellFollowNow(actor.userId, viewer.userId));
    });
  }

  async #tellFollowNow(actorId: bigint, viewerId: bigint): Promise<void> {
    await this.#pairs.run(pairKey(actorId, viewerId), async () => {
      const pair = await relations.readVisiblePair(this.#options.db, actorId, viewerId);
      if (pair) await this.#tellFollow(pair.other, pair.actor);
    });
  }

  async #tellRelation(viewer: relations.Partner, other: relations.Partner): Promise<void> {
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

  async #tellHidden(viewerId: bigint, hidden: { userId: bigint; externalId: string }): Promise<void> {
    const { bus, unreadTotal } = this.#options;
    if (!(await bus.isPresent(viewerId))) return;
    const { userId, externalId } = hidden;
    await this.turns.run(viewerId, async () => {
      const unread_total = await unreadTotal(viewerId);
      bus.social(viewerId, { kind: "hidden", userId: Number(userId), externalId, unread_total });
    });
  }

  async #tellBothWish(one: bigint, other: bigint): Promise<void> {
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
  if (userId === otherId) throw badInput("oneself", field);
}

/** Who found whom by search, lately: whoever was found may be looked at. */
class FoundPeople {
  readonly #memory: ShortMemory;
  readonly #limits: Limits;

  constructor({ shortMemory, limits }: Pick<SocialServiceOptions, "shortMemory" | "limits">) {
    this.#memory = shortMemory;
    this.#limits = limits;
  }

  /**
   * Counts those of them whom the person has not seen by browsing in the last day.
   *
   * @throws EndpointError 429 for more than `browsedPeoplePerDayMax`; 503 where nothing can be remembered at present.
   */
  async countBrowsed(userId: bigint, foundIds: readonly bigint[]): Promise<void> {
    const keys = foundIds.map((id) => `${userId}:${id}`);
    const words = await Promise.all(keys.map((key) => this.#memory.recall("browsedPerson", key)));
    const newKeys = keys.filter((_key, at) => words[at] === null);
    if (newKeys.length === 0) return;
    const retryAfter = await this.#limits.take("browsedPeopleByUser", String(userId), newKeys.length);
    if (retryAfter !== null) throw slowDown(retryAfter);
    await this.#memory.remember("browsedPerson", new Map(newKeys.map((key) => [key, ""])));
  }

  /** @throws EndpointError 503 where nothing can be remembered at present; of `has`, too. */
  async remember(userId: bigint, foundIds: Iterable<bigint>): Promise<void> {
    await this.#memory.remember("foundPerson", new Map(Array.from(foundIds, (id) => [`${userId}:${id}`, ""])));
  }

  async has(userId: bigint, foundId: bigint): Promise<boolean> {
    return (await this.#memory.recall("foundPerson", `${userId}:${foundId}`)) !== null;
  }
}
