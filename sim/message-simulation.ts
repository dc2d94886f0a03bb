import type { Random } from "@fava/server/ports/random.ts";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { HubWorld } from "@fava/server/test/fixtures/hub-world.ts";
import { MessageWorld } from "@fava/server/test/fixtures/message-world.ts";
import { compare, SimulatedWriter } from "./simulated-writer.ts";

const peopleCount = 200;
const friendshipsEach = 2;
const meetingsEach = 1;
/** Actions at the same time. */
const actionsAtOnce = 14;
/** How often a page pings. */
const pingSeconds = 5;

interface StoredRow {
  user_id: bigint;
  external_id: string;
  unread_count: number;
  request: boolean;
  ids: string[];
}

/**
 * Users who write, read, block, lose their sockets and return, with the real services, a real database, and WebSockets
 * to the real hub. Their actions follow from the seed; the order on the network does not.
 */
export class MessageSimulation implements AsyncDisposable {
  readonly world: MessageWorld;
  readonly #hub: HubWorld;
  /** Users whose socket the server believes to be open. */
  readonly #live = new Set<bigint>();
  /** Sender and client id of every message that the server accepted. */
  readonly #accepted = new Set<string>();
  readonly people: SimulatedWriter[] = [];
  readonly history: string[] = [];
  /** How often each action occurred; every count must be positive in the end. */
  readonly counts = { sent: 0, repeated: 0, refused: 0, read: 0, blocked: 0, resumed: 0, begun: 0, swift: 0 };
  readonly #random: Random;
  readonly #partners = new Map<bigint, bigint[]>();
  readonly #externalIds = new Map<bigint, string>();

  private constructor(parts: { world: MessageWorld; hub: HubWorld; seed: number }) {
    this.world = parts.world;
    this.#hub = parts.hub;
    this.#random = seededRandom(parts.seed);
    const comes = (userId: bigint) => void this.#live.add(userId);
    const goes = (userId: bigint) => void this.#live.delete(userId);
    this.#hub.listeners.push({ arrived: comes, resumed: comes, dropped: goes, gone: goes });
  }

  static async begin(seed: number): Promise<MessageSimulation> {
    const hub = await HubWorld.start({ socketsMax: peopleCount * 2 });
    const simulation = new MessageSimulation({ world: await MessageWorld.open({ sockets: hub }), hub, seed });
    await simulation.#makePeople();
    return simulation;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hub[Symbol.asyncDispose]();
  }

  /** Runs several actions at once; afterwards waits until every connected user has received everything. */
  async step(): Promise<void> {
    await Promise.all(Array.from({ length: actionsAtOnce }, () => this.#act(this.#pick(this.people))));
    await this.#settle();
    await this.#passTime(this.#random.integer(1, 4) === 1 ? this.#random.integer(1, 40) : 1);
    const back = this.people.filter((person) => !person.isConnected && this.#random.integer(1, 5) === 1);
    await Promise.all(back.map((person) => this.#connect(person)));
    await this.#settle();
  }

  async bringAllBack(): Promise<void> {
    const back = this.people.filter((person) => !person.isConnected);
    await Promise.all(back.map((person) => this.#connect(person)));
    await this.#settle();
  }

  /** Differences between a connected browser and the database. */
  async problems(): Promise<string[]> {
    const stored = await this.#stored();
    const connected = this.people.filter((person) => person.isConnected);
    const counters = (await this.world.wrongCounters()).map((userId) => `a counter of ${userId} is wrong`);
    return [...(await this.#lost()), ...counters, ...connected.flatMap((person) => differences(person, stored))];
  }

  async #act(person: SimulatedWriter): Promise<void> {
    if (!person.isConnected) return;
    const otherId = this.#pick(this.#partners.get(person.userId) ?? []);
    const action = this.#random.integer(1, 100);
    if (action <= 55) return this.#send(person, otherId);
    if (action <= 75) return this.#read(person, otherId);
    if (action <= 83) return this.#note(person, "loses the socket", () => person.lose());
    if (action <= 87) return this.#loseAndReturn(person);
    if (action <= 94) return this.#note(person, "closes the page", () => person.close());
    if (action <= 97) return this.#block(person, otherId);
    if (action === 98) return this.#accept(person, otherId);
    return this.#sendTwice(person, otherId);
  }

  async #send(person: SimulatedWriter, otherId: bigint, clientId = this.#newClientId(person)): Promise<void> {
    this.#note(person, `writes ${clientId} to ${otherId}`);
    try {
      await this.world.send(person.userId, otherId, { text: "a line", clientId });
      this.counts.sent += 1;
      this.#accepted.add(`${person.userId} ${clientId}`);
    } catch (error) {
      unlessRefused(error);
      this.counts.refused += 1;
    }
  }

  /** The browser sends a message again because the response is lost or slow. */
  async #sendTwice(person: SimulatedWriter, otherId: bigint): Promise<void> {
    const clientId = this.#newClientId(person);
    this.counts.repeated += 1;
    await Promise.all([this.#send(person, otherId, clientId), this.#send(person, otherId, clientId)]);
    await this.#send(person, otherId, clientId);
  }

  async #read(person: SimulatedWriter, otherId: bigint): Promise<void> {
    this.#note(person, `reads ${otherId}`);
    this.counts.read += 1;
    await person.readNewest(this.#externalIds.get(otherId) ?? "").catch(unlessRefused);
  }

  async #accept(person: SimulatedWriter, otherId: bigint): Promise<void> {
    this.#note(person, `accepts ${otherId}`);
    await this.world.answer(person.userId, otherId, 1).catch(unlessRefused);
  }

  async #block(person: SimulatedWriter, otherId: bigint): Promise<void> {
    this.#note(person, `blocks ${otherId}`);
    this.counts.blocked += 1;
    await this.world.social.social.block(person.userId, otherId).catch(unlessRefused);
  }

  async #connect(person: SimulatedWriter): Promise<void> {
    const how = await person.connect();
    this.#note(person, how);
    this.counts[how] += 1;
  }

  /** Reconnects before the server can notice the loss. */
  async #loseAndReturn(person: SimulatedWriter): Promise<void> {
    this.#note(person, "loses the socket for a moment", () => person.lose());
    this.counts.swift += 1;
    await this.#connect(person);
  }

  /** Connected users ping meanwhile. */
  async #passTime(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= pingSeconds) {
      this.world.social.clock.advance(Math.min(left, pingSeconds) * 1_000);
      if (left > pingSeconds) await this.#settle();
    }
  }

  /** Waits until the server has noticed every lost socket, and every connected user has received everything. */
  async #settle(): Promise<void> {
    await this.world.social.social[Symbol.asyncDispose]();
    const isNoticed = () => this.people.every((person) => person.isConnected === this.#live.has(person.userId));
    while (!isNoticed()) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(this.people.filter((person) => person.isConnected).map((person) => person.hear()));
  }

  /**
   * Accepted messages that are not stored. A user who is blocked at that moment gets an error although the message was
   * stored.
   */
  async #lost(): Promise<string[]> {
    const { rows } = await this.world.social.database.pool.query<{ key: string }>(
      "select sender_id || ' ' || client_id as key from messages",
    );
    const stored = new Set(rows.map(({ key }) => key));
    return [...this.#accepted].filter((key) => !stored.has(key)).map((key) => `${key} was accepted and is lost`);
  }

  async #stored(): Promise<Map<bigint, StoredRow[]>> {
    const { rows } = await this.world.social.database.pool.query<StoredRow>(
      `select side.user_id, users.external_id, side.unread_count, side.request,
         (select array_agg(id::text order by id) from messages where conversation_id = side.conversation_id) as ids
       from conversation_sides as side join users on users.id = side.other_id
       where not exists (
         select from blocks where (blocks.user_id, blocks.other_id)
           in ((side.user_id, side.other_id), (side.other_id, side.user_id))
       )`,
    );
    const byPerson = new Map<bigint, StoredRow[]>();
    for (const row of rows) byPerson.set(row.user_id, [...(byPerson.get(row.user_id) ?? []), row]);
    return byPerson;
  }

  async #makePeople(): Promise<void> {
    const { social } = this.world;
    for (let number = 0; number < peopleCount; number += 1) {
      const userId = await social.person();
      const externalId = await social.externalIdOf(userId);
      this.#hub.people.set(externalId, userId);
      this.people.push(new SimulatedWriter({ userId, externalId, world: this.world, hub: this.#hub }));
      this.#externalIds.set(userId, externalId);
    }
    for (const { userId } of this.people) {
      for (let number = 0; number < friendshipsEach + meetingsEach; number += 1) {
        const other = this.#pick(this.people).userId;
        if (other === userId || this.#partners.get(userId)?.includes(other)) continue;
        this.#partners.set(userId, [...(this.#partners.get(userId) ?? []), other]);
        this.#partners.set(other, [...(this.#partners.get(other) ?? []), userId]);
        if (number < friendshipsEach) await this.#befriend(userId, other);
        else await social.call(userId, other);
      }
    }
    await Promise.all(this.people.map((person) => person.connect()));
    await this.#settle();
  }

  async #befriend(one: bigint, other: bigint): Promise<void> {
    const at = new Date(this.world.social.clock.nowMs());
    await this.world.social.database.db
      .insertInto("follows")
      .values([
        { user_id: one, other_id: other, at },
        { user_id: other, other_id: one, at },
      ])
      .execute();
  }

  #newClientId(person: SimulatedWriter): string {
    return `${person.userId}-${this.history.length}-${this.#random.integer(0, 1_000_000)}`;
  }

  #note(person: SimulatedWriter, what: string, act?: () => void): void {
    this.history.push(`${this.world.social.clock.monotonicMs()} ${person.userId} ${what}`);
    act?.();
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#random.integer(0, values.length - 1)]!;
  }
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof Error) || error.name !== "EndpointError") throw error;
}

/** Only lists contain the "met" row, so a browser that knows a conversation from events may lack it. */
function differences(person: SimulatedWriter, stored: ReadonlyMap<bigint, StoredRow[]>): string[] {
  const { userId, threads } = person;
  const rows = stored.get(userId) ?? [];
  const problems = [...person.problems];
  if (rows.length !== threads.size)
    problems.push(`${userId} knows ${threads.size} conversations, there are ${rows.length}`);
  // No user becomes a friend in this simulation, so a message request stays one until it is answered.
  const unread = rows.reduce((sum, row) => sum + (row.request ? 0 : row.unread_count), 0);
  if (person.unreadTotal !== unread)
    problems.push(`${userId} counts ${person.unreadTotal} unread, there are ${unread}`);
  for (const { external_id, ids, unread_count } of rows) {
    const thread = threads.get(external_id);
    const known = [...(thread?.messages.keys() ?? [])].toSorted(compare).map(String);
    const expected = known[0] === ids[0] ? ids : ids.slice(1);
    if (known.join(" ") !== expected.join(" "))
      problems.push(`${userId} has ${known.join(" ")} of ${external_id}, there are ${ids.join(" ")}`);
    if (thread?.unreadCount !== unread_count)
      problems.push(`${userId} counts ${thread?.unreadCount} unread of ${external_id}, there are ${unread_count}`);
  }
  return problems;
}
