import type { Logger } from "pino";
import type { Presence } from "@fava/wire/people.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Bus } from "#ports/bus.ts";
import type { Departure, HubListener, RoomMessage } from "#ports/hub-listener.ts";
import { RemoteFriends, type PresenceFacts, type PresenceSite } from "./remote-friends.ts";

interface Present {
  /** Null until it is read together with the friends. Until then nobody is notified of this user. */
  externalId: string | null;
  dropped: boolean;
  hidden: boolean;
  /** Present friends. Each of them has this user in the same set. */
  readonly friends: Set<bigint>;
  changedMeanwhile: boolean;
}

export interface PresenceOptions {
  bus: Pick<Bus, "pass">;
  logger: Logger;
  read(userId: bigint): Promise<PresenceFacts>;
  /** The other servers; undefined for a single server. */
  site?: PresenceSite;
}

/** Presence of this server's users, in memory. Follows hub events and notifies friends. */
export class PresenceRegistry
  implements
    Omit<HubListener, "preview" | "returned" | "typing" | "searchMedia" | "relayed" | "unheard">,
    AsyncDisposable
{
  readonly #options: PresenceOptions;
  readonly #people = new Map<bigint, Present>();
  readonly #remoteFriends: RemoteFriends | null;
  readonly #tasks: Tasks;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    const { site } = options;
    const onReread = (userId: bigint, { friendIds }: PresenceFacts) => this.#setFriends(userId, new Set(friendIds));
    const presenceHere = (userId: bigint) => this.presenceOf(userId);
    this.#remoteFriends = site ? new RemoteFriends({ ...options, ...site, presenceOf: presenceHere, onReread }) : null;
  }

  presenceOf(userId: bigint): Presence {
    const person = this.#people.get(userId);
    return person ? presenceOf(person) : "offline";
  }

  async presenceAnywhere(userId: bigint): Promise<Presence> {
    return this.#people.has(userId) || !this.#remoteFriends
      ? this.presenceOf(userId)
      : this.#remoteFriends.presenceOf(userId);
  }

  /** Call once this server is the user's home, so that friends at other servers are notified. */
  ownedHere(userId: bigint): void {
    this.#remoteFriends?.owned(userId);
  }

  friendshipChanged(one: bigint, other: bigint, areFriends: boolean): void {
    const [first, second] = [this.#people.get(one), this.#people.get(other)];
    for (const person of [first, second]) if (person) person.changedMeanwhile = true;
    this.#remoteFriends?.friendshipChanged(one, other, areFriends);
    if (!first || !second) return;
    if (areFriends) {
      first.friends.add(other);
      second.friends.add(one);
    } else {
      first.friends.delete(other);
      second.friends.delete(one);
    }
  }

  arrived(userId: bigint): void {
    const person: Present = {
      externalId: null,
      dropped: false,
      hidden: false,
      friends: new Set(),
      changedMeanwhile: false,
    };
    this.#people.set(userId, person);
    this.#remoteFriends?.arrived(userId);
    this.#tasks.add("failed to read the friends of a user", () => this.#introduce(userId, person));
  }

  dropped(userId: bigint): void {
    this.#change(userId, { dropped: true });
  }

  resumed(userId: bigint): void {
    this.#change(userId, { dropped: false, hidden: false });
  }

  gone(userId: bigint, how: Departure): void {
    const person = this.#people.get(userId);
    if (!person) return;
    this.#people.delete(userId);
    for (const friendId of person.friends) this.#people.get(friendId)?.friends.delete(userId);
    // A user who moves is announced by the next server, and a replaced page by the new one at this server.
    if (how !== "moved" && how !== "replaced") this.#notifyFriends(userId, person, "offline");
    this.#remoteFriends?.gone(userId);
  }

  roomMessage(userId: bigint, message: RoomMessage): void {
    // Any other change is not the user's doing.
    if (message.type === "quality") return;
    if (message.type === "media" && message.state !== "away" && message.state !== "back") return;
    this.#change(userId, { hidden: message.type === "media" && message.state === "away" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#tasks[Symbol.asyncDispose](), this.#remoteFriends?.[Symbol.asyncDispose]()]);
  }

  async #introduce(userId: bigint, person: Present): Promise<void> {
    let facts: PresenceFacts;
    do {
      person.changedMeanwhile = false;
      facts = await this.#options.read(userId);
      if (this.#people.get(userId) !== person) return;
    } while (person.changedMeanwhile);
    this.#setFriends(userId, new Set(facts.friendIds));
    person.externalId = facts.externalId;
    this.#notifyFriends(userId, person, presenceOf(person));
    this.#remoteFriends?.introduced(userId, facts);
  }

  #setFriends(userId: bigint, friendIds: ReadonlySet<bigint>): void {
    const person = this.#people.get(userId);
    if (!person) return;
    for (const friendId of person.friends)
      if (!friendIds.has(friendId)) this.#people.get(friendId)?.friends.delete(userId);
    person.friends.clear();
    for (const friendId of friendIds) {
      const friend = this.#people.get(friendId);
      if (!friend) continue;
      friend.friends.add(userId);
      person.friends.add(friendId);
    }
  }

  #change(userId: bigint, change: Partial<Pick<Present, "dropped" | "hidden">>): void {
    const person = this.#people.get(userId);
    if (!person) return;
    const before = presenceOf(person);
    Object.assign(person, change);
    const after = presenceOf(person);
    if (after !== before) this.#notifyFriends(userId, person, after);
  }

  #notifyFriends(userId: bigint, { externalId, friends }: Present, presence: Presence): void {
    if (externalId === null) return;
    this.#remoteFriends?.sendPresence(userId, presence);
    for (const friendId of friends) this.#options.bus.pass(friendId, { type: "presence", externalId, presence });
  }
}

function presenceOf({ dropped, hidden }: Present): Presence {
  return dropped || hidden ? "away" : "online";
}
