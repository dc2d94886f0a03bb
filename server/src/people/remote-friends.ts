import type { Logger } from "pino";
import type { Presence } from "@fava/wire/people.ts";
import { Periodic, Tasks } from "#lib/tasks.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import {
  type FriendElsewhere,
  NoOwnerError,
  type PeerKey,
  type Peers,
  PeerTimeoutError,
  personKey,
} from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";

const checkEveryMs = 5_000;
const friendsAtOnce = 50;

/** Read from the database when a user connects. */
export interface PresenceFacts {
  readonly externalId: string;
  readonly friendIds: readonly bigint[];
}

export interface PresenceSite {
  readonly peers: Peers;
  readonly processes: { living(): Promise<ReadonlySet<ProcessId>> };
  readonly clock: Clock;
}

interface RemoteFriendsOptions extends PresenceSite {
  presenceOf(userId: bigint): Presence;
  read(userId: bigint): Promise<PresenceFacts>;
  /** Called after a gap in the bus, when a user's friends were read again and the cached ones may be stale. */
  onReread(userId: bigint, facts: PresenceFacts): void;
  bus: Pick<Bus, "pass">;
  logger: Logger;
}

interface LocalUser {
  facts: PresenceFacts | null;
  /** Whether this server is the user's home. Friends who connect to other servers then greet it. */
  isOwned: boolean;
  readonly friends: Map<bigint, FriendElsewhere>;
  readonly unanswered: Set<bigint>;
}

/**
 * When a user connects, this server greets the homes of the friends, and both then exchange presence over the bus. Of
 * two friends who connect at once, the one whose home is registered later reaches the other.
 */
export class RemoteFriends implements AsyncDisposable {
  readonly #options: RemoteFriendsOptions;
  readonly #people = new Map<bigint, LocalUser>();
  readonly #tasks: Tasks;
  readonly #parts: Disposable[];
  readonly #checking: Periodic;
  #mustReread = false;

  constructor(options: RemoteFriendsOptions) {
    const { peers, clock, logger } = options;
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#parts = [
      peers.serve("presenceOf", async (_input, key) => options.presenceOf(userOf(key))),
      peers.serve("greetFriend", async (friend, key) => this.#greeted(userOf(key), friend)),
      peers.onGap(() => (this.#mustReread = true)),
    ];
    this.#checking = new Periodic({
      clock,
      logger,
      name: "check that the servers of friends are alive",
      pauseMs: () => checkEveryMs,
      work: () => this.#checkServers(),
    });
  }

  /** Presence as the user's home reports it; offline if the home does not answer. */
  async presenceOf(userId: bigint): Promise<Presence> {
    try {
      return await this.#options.peers.ask("presenceOf", personKey(userId), null);
    } catch (error) {
      if (error instanceof NoOwnerError || error instanceof PeerTimeoutError) return "offline";
      throw error;
    }
  }

  arrived(userId: bigint): void {
    this.#people.set(userId, { facts: null, isOwned: false, friends: new Map(), unanswered: new Set() });
  }

  introduced(userId: bigint, facts: PresenceFacts): void {
    for (const friendId of facts.friendIds) this.#people.get(friendId)?.friends.delete(userId);
    this.#begin(userId, { facts });
  }

  owned(userId: bigint): void {
    this.#begin(userId, { isOwned: true });
  }

  gone(userId: bigint): void {
    this.#people.delete(userId);
  }

  friendshipChanged(one: bigint, other: bigint, areFriends: boolean): void {
    for (const [userId, friendId] of [
      [one, other],
      [other, one],
    ] as const) {
      const person = this.#people.get(userId);
      if (!person?.facts) continue;
      const friendIds = person.facts.friendIds.filter((id) => id !== friendId);
      person.facts = { ...person.facts, friendIds: areFriends ? [...friendIds, friendId] : friendIds };
      person.friends.delete(friendId);
      if (areFriends && person.isOwned)
        this.#tasks.add("failed to greet a friend at another server", () => this.#greet(userId, person, [friendId]));
    }
  }

  sendPresence(userId: bigint, presence: Presence): void {
    const { facts, friends } = this.#people.get(userId) ?? {};
    if (!facts || !friends) return;
    for (const friendId of friends.keys()) this.#pass(friendId, facts.externalId, presence);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of this.#parts) part[Symbol.dispose]();
    await Promise.all([this.#checking[Symbol.asyncDispose](), this.#tasks[Symbol.asyncDispose]()]);
  }

  #begin(userId: bigint, change: Partial<Pick<LocalUser, "facts" | "isOwned">>): void {
    const person = this.#people.get(userId);
    if (!person) return;
    const { facts, isOwned } = Object.assign(person, change);
    if (facts && isOwned)
      this.#tasks.add("failed to greet friends at other servers", () => this.#greet(userId, person, facts.friendIds));
  }

  /** Announces a user to friends at other servers. Forgets friends who are at no server. */
  async #greet(userId: bigint, person: LocalUser, friendIds: readonly bigint[]): Promise<void> {
    for (let from = 0; from < friendIds.length; from += friendsAtOnce) {
      const asked = friendIds.slice(from, from + friendsAtOnce);
      await Promise.all(asked.map((friendId) => this.#greetOne(userId, person, friendId)));
    }
  }

  async #greetOne(userId: bigint, person: LocalUser, friendId: bigint): Promise<void> {
    const { peers } = this.#options;
    const { facts } = person;
    // Friends at the same server need no greeting.
    if (!facts || this.#people.get(userId) !== person || this.#people.has(friendId)) return;
    const { externalId } = facts;
    const greeting = { friendId: userId, externalId, presence: this.#options.presenceOf(userId), process: peers.self };
    const before = person.friends.get(friendId);
    person.unanswered.delete(friendId);
    try {
      const friend = await peers.ask("greetFriend", personKey(friendId), greeting);
      if (this.#people.get(userId) === person) person.friends.set(friendId, friend);
      else if (!(await peers.isOwned(personKey(userId)))) this.#pass(friendId, externalId, "offline");
    } catch (error) {
      if (error instanceof PeerTimeoutError) return void person.unanswered.add(friendId);
      if (!(error instanceof NoOwnerError)) throw error;
      // The friend may have connected and greeted this user while the request ran.
      if (!before || person.friends.get(friendId) !== before) return;
      person.friends.delete(friendId);
      this.#pass(userId, before.externalId, "offline");
    }
  }

  #greeted(
    userId: bigint,
    { friendId, presence, externalId, process }: FriendElsewhere & { friendId: bigint; presence: Presence },
  ): FriendElsewhere {
    const person = this.#people.get(userId);
    // Until a user's friends are read, nothing is answered: the user then greets them all. New friends greet once both
    // servers know of the friendship.
    if (!person?.facts?.friendIds.includes(friendId)) throw new NoOwnerError("no such friend at this server");
    person.friends.set(friendId, { externalId, process });
    this.#pass(userId, externalId, presence);
    return { externalId: person.facts.externalId, process: this.#options.peers.self };
  }

  /** After a gap, reads and greets all friends. Otherwise greets those who did not answer or whose server died. */
  async #checkServers(): Promise<void> {
    if (this.#mustReread) return this.#reread();
    const isAlone = [...this.#people.values()].every(({ friends, unanswered }) => friends.size + unanswered.size === 0);
    if (isAlone) return;
    const living = await this.#options.processes.living();
    for (const [userId, person] of this.#people) {
      const lost = [...person.friends].filter(([, { process }]) => !living.has(process)).map(([friendId]) => friendId);
      await this.#greet(userId, person, [...lost, ...person.unanswered]);
    }
  }

  async #reread(): Promise<void> {
    this.#mustReread = false;
    for (const [userId, person] of this.#people) {
      if (!person.facts || !person.isOwned) continue;
      person.facts = await this.#options.read(userId);
      this.#options.onReread(userId, person.facts);
      const friendIds = new Set(person.facts.friendIds);
      for (const friendId of person.friends.keys()) if (!friendIds.has(friendId)) person.friends.delete(friendId);
      await this.#greet(userId, person, person.facts.friendIds);
    }
  }

  #pass(userId: bigint, externalId: string, presence: Presence): void {
    this.#options.bus.pass(userId, { type: "presence", externalId, presence });
  }
}

function userOf(key: PeerKey): bigint {
  return BigInt(key.slice(key.indexOf(":") + 1));
}
