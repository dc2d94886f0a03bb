import { pino } from "pino";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { seeds, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { openDatabase } from "#db/pool.ts";
import { EndpointError } from "#lib/errors.ts";
import { pairKey } from "#lib/keyed-mutex.ts";
import type { Random } from "#ports/random.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { messageWays, MessageWorld } from "#test/fixtures/message-world.ts";
import { PersonTurns } from "./person-turns.ts";
import { StandingMessages } from "./standing-messages.ts";

const logger = pino({ level: "silent" });
let world: MessageWorld;

beforeAll(async () => {
  world = await MessageWorld.open();
});

afterEach(() => vi.restoreAllMocks());

function standingMessages(turns = new PersonTurns()): StandingMessages {
  return new StandingMessages({ db: world.social.database.db, turns, logger });
}

/** Two who have written to each other, and what was told of it taken. */
async function pair(): Promise<[bigint, bigint]> {
  const [ana, bo] = await world.friends();
  await world.send(ana, bo, "the first one");
  for (const person of [ana, bo]) world.social.tookSocial(person);
  return [ana, bo];
}

let written = 0;

function messageOf([from, to]: readonly [bigint, bigint], text = "hello") {
  written += 1;
  const now = new Date(world.social.clock.nowMs());
  return { from, to, clientId: `standing-${written}`, text, cover: null, isForFriends: false, now, metSince: now };
}

test("[MSG-25] messages that come at the same moment are stored in one call, fifty at most", async () => {
  const pairs = [await pair(), await pair(), await pair()];
  const connect = vi.spyOn(world.social.database.pool, "connect");
  const standing = standingMessages();
  const stored = await Promise.all(pairs.map((each) => standing.send(messageOf(each))));
  expect(stored.map((each) => each?.theirs.unread_total)).toEqual([2, 2, 2]);
  expect(connect).toHaveBeenCalledTimes(1);
  await Promise.all(Array.from({ length: 51 }, () => standing.send(messageOf([1n, 2n]))));
  expect(connect).toHaveBeenCalledTimes(3);
  expect(await world.wrongCounters()).toEqual([]);
});

test("[MSG-25] of a conversation one message of a call is taken, and of a client id one", async () => {
  const [ana, bo] = await pair();
  const cem = await world.social.person();
  await world.social.call(ana, cem);
  await world.social.friends(ana, cem);
  await world.send(ana, cem);
  const standing = standingMessages();
  const twice = await Promise.all([messageOf([ana, bo]), messageOf([bo, ana])].map((each) => standing.send(each)));
  expect(twice.map((each) => each !== null)).toEqual([true, false]);
  const message = messageOf([ana, bo]);
  const one = await Promise.all([message, { ...message, to: cem }].map((each) => standing.send(each)));
  expect(one.filter((each) => each !== null)).toHaveLength(1);
  expect(await world.wrongCounters()).toEqual([]);
});

/** What makes of two whose request was accepted two about whom something has to be decided. */
const undecided: Record<string, (ana: bigint, bo: bigint) => Promise<unknown>> = {
  "the writer has blocked the other": (ana, bo) => world.social.social.block(ana, bo),
  "the other has blocked the writer": (ana, bo) => world.social.social.block(bo, ana),
  "the other has deleted the account": (_, bo) => world.social.delete(bo),
  "the writer has deleted the account": (ana) => world.social.delete(ana),
  "they were friends, and nothing else": (ana, bo) => changed(ana, bo, { accepted: false }),
  "a request waits": (ana, bo) => changed(ana, bo, { requested_by: ana }),
  "the other's side is erased": (_, bo) =>
    world.social.database.db.deleteFrom("conversation_sides").where("user_id", "=", bo).execute(),
  "a side has declined": (_, bo) =>
    world.social.database.db
      .updateTable("conversation_sides")
      .set({ declined: true })
      .where("user_id", "=", bo)
      .execute(),
};

function changed(one: bigint, other: bigint, change: { accepted: boolean } | { requested_by: bigint }) {
  const [low, high] = one < other ? [one, other] : [other, one];
  const { db } = world.social.database;
  return db.updateTable("conversations").set(change).where("low_id", "=", low).where("high_id", "=", high).execute();
}

test.each(Object.keys(undecided))("[MSG-25] nothing is stored many at a time where %s", async (name) => {
  const [ana, bo] = await world.strangers();
  await world.send(ana, bo);
  await world.answer(bo, ana, 1);
  const standing = standingMessages();
  expect(await standing.send(messageOf([ana, bo]))).not.toBeNull();
  await undecided[name]?.(ana, bo);
  expect(await standing.send(messageOf([ana, bo]))).toBeNull();
  const { db } = world.social.database;
  const stored = await db.selectFrom("messages").select("kind").where("sender_id", "=", ana).execute();
  expect(stored.filter(({ kind }) => kind === "text")).toHaveLength(2);
});

test("[MSG-25] a message that cannot be stored fails alone", async () => {
  const pairs = [await pair(), await pair(), await pair()];
  const texts = ["one", "x".repeat(1_001), "three"];
  const sent = await Promise.allSettled(pairs.map(([from, to], at) => world.send(from, to, texts[at])));
  expect(sent.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  for (const [at, [from, to]] of pairs.entries()) {
    const heard = world.tookMessages(to).map(({ message }) => message.text);
    expect(heard).toEqual(at === 1 ? [] : [texts[at]]);
    expect(await world.texts(from, to)).toHaveLength(at === 1 ? 2 : 3);
  }
});

test("[MSG-25] a conversation that somebody holds does not keep the others waiting", async () => {
  const [held, free] = [await pair(), await pair()];
  const holder = await world.social.database.pool.connect();
  await holder.query("begin");
  await holder.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`conversation ${pairKey(...held)}`]);
  let isStored = false;
  const waiting = world.send(...held, "later").then(() => (isStored = true));
  await world.send(...free, "now");
  expect(world.tookMessages(free[1])).toMatchObject([{ message: { text: "now" } }]);
  expect(isStored).toBe(false);
  await holder.query("commit");
  holder.release();
  await waiting;
  expect(world.tookMessages(held[1])).toMatchObject([{ message: { text: "later" }, unread_total: 2 }]);
});

test("[MSG-25] who is at the end of a long queue hears at once that there is no room; without a database all hear it", async () => {
  const standing = standingMessages();
  const sent = await Promise.allSettled(Array.from({ length: 5_001 }, () => standing.send(messageOf([1n, 2n]))));
  expect(sent.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(sent.at(-1)).toMatchObject({ reason: { name: "DatabaseUnavailableError", reason: "busy" } });
  await using nowhere = openDatabase("postgres://127.0.0.1:1/nowhere", { max: 1 });
  const lost = new StandingMessages({ db: nowhere.db, turns: new PersonTurns(), logger });
  const failed = await Promise.allSettled([1n, 3n].map((from) => lost.send(messageOf([from, 2n]))));
  for (const each of failed) expect(each).toMatchObject({ reason: { name: "DatabaseUnavailableError" } });
});

test("[MSG-21] who blocks while a stored message waits to be told hears nothing of it", async () => {
  const [ana, bo] = await pair();
  const { social } = world.social;
  let release = (): void => undefined;
  const held = social.turns.run(bo, () => new Promise<void>((resolve) => (release = resolve)));
  const sending = world.send(ana, bo, "too late").catch((error: unknown) => error);
  await vi.waitFor(() => expect(world.tookMessages(ana)).toHaveLength(1));
  const blocking = social.block(bo, ana);
  await vi.waitFor(async () => expect(await social.isHidden(ana, bo)).toBe(true));
  release();
  await Promise.all([held, sending, blocking]);
  expect(world.social.tookSocial(bo).map(({ kind }) => kind)).toEqual(["hidden"]);
});

test("[MSG-20] a message that waits to be told behind another is told with the total of that moment", async () => {
  const [ana, bo] = await pair();
  const cem = await world.social.person();
  await world.social.call(cem, bo);
  await world.social.friends(cem, bo);
  await world.send(cem, bo);
  world.tookMessages(bo);
  const { turns } = world.social.social;
  let release = (): void => undefined;
  const held = turns.run(bo, () => new Promise<void>((resolve) => (release = resolve)));
  const first = world.send(ana, bo, "one");
  await vi.waitFor(() => expect(world.tookMessages(ana)).toHaveLength(1));
  const second = world.send(cem, bo, "two");
  await vi.waitFor(async () => expect(await world.messages.unreadTotal(bo)).toBe(4));
  release();
  await Promise.all([held, first, second]);
  const told = world.tookMessages(bo).map(({ message, unread_total }) => `${message.text} ${unread_total}`);
  expect(told).toEqual(["one 4", "two 4"]);
});

const peopleCount = 4;
const steps = 60;
/** Lists of everybody, every so many steps. */
const listsEvery = 12;

/** One and the same history in a world of its own, and what came of each step in words that hold in every world. */
class History {
  readonly world: MessageWorld;
  readonly #people: readonly bigint[];
  readonly #random: Random;
  /** What messages are called, by their ids, which grow by other steps in another world. */
  readonly #names = new Map<string, string>();
  /** Pairs that have a conversation. */
  readonly #begun = new Set<string>();
  #sent = 0;
  #steps = 0;

  static async begin(way: (typeof messageWays)[number], seed: number): Promise<History> {
    const opened = await MessageWorld.open({ way });
    const people: bigint[] = [];
    for (let number = 0; number < peopleCount; number += 1) people.push(await opened.social.person());
    // The last one is not here: of what is written to them nobody hears.
    await opened.social.arrive(...people.slice(0, -1));
    return new History(opened, people, seededRandom(seed));
  }

  private constructor(opened: MessageWorld, people: readonly bigint[], random: Random) {
    this.world = opened;
    this.#people = people;
    this.#random = random;
  }

  /** Something happens; what came of it, what everybody heard, and now and then what everybody's lists say. */
  async step(): Promise<unknown> {
    const [one, other] = this.#pair();
    const { social } = this.world.social;
    const acts: [string, number, () => Promise<unknown>][] = [
      ["send", 30, () => this.#send(one, other)],
      ["send many", 8, () => this.#sendMany()],
      ["read", 8, () => this.#read(one, other)],
      ["answer", 6, () => this.world.answer(one, other, this.#random.integer(0, 1) === 0 ? 0 : 1)],
      ["call", 10, () => this.world.social.call(one, other)],
      ["follow", 8, () => social.follow(one, other, true)],
      ["befriend", 8, () => this.world.social.friends(one, other)],
      ["unfollow", 3, () => social.follow(one, other, false)],
      ["like", 3, () => social.like(one, other, null)],
      ["block", 3, () => social.block(one, other)],
      ["unblock", 4, () => social.unblock(one, other)],
      ["delete", 1, () => this.#delete(one, true)],
      ["come back", 8, async () => Promise.all(this.#people.map((person) => this.#delete(person, false)))],
    ];
    let drawn = this.#random.integer(
      1,
      acts.reduce((sum, [, weight]) => sum + weight, 0),
    );
    const [name, , act] = acts.find(([, weight]) => (drawn -= weight) <= 0)!;
    this.world.social.clock.advance(1_000);
    const outcome = await settled(act());
    const heard = this.#people.map((person) => this.world.social.tookSocial(person));
    this.#steps += 1;
    const lists = this.#steps % listsEvery === 0 ? await this.#lists() : null;
    // What comes at the same moment is told in any order; the lists say whether it was told rightly.
    return this.#named({ name, one, other, outcome, heard: name === "send many" ? null : heard, lists });
  }

  async #lists(): Promise<unknown> {
    const lists: unknown[] = [];
    for (const person of this.#people) {
      for (const box of [0, 1] as const) {
        const { conversations, ...rest } = await this.world.page(person, { box });
        // The welcome is dated by when the account was made, in no time that a test sets.
        const shown = conversations.filter(({ state }) => state !== "official");
        const ids = shown.map(({ lastMessage }) => Number(lastMessage?.id));
        const isNewestFirst = ids.every((id, at) => at === 0 || id < ids[at - 1]!);
        // Which of those that were sent at the same moment is the newer one may differ.
        const byPerson = shown.toSorted((one, other) => one.userId - other.userId);
        lists.push({ ...rest, isNewestFirst, conversations: byPerson });
      }
      for (const other of this.#people)
        if (other !== person) lists.push(await settled(this.world.thread(person, other)));
    }
    return lists;
  }

  #pair(): [bigint, bigint] {
    const at = this.#random.integer(0, peopleCount - 1);
    const otherAt = (at + this.#random.integer(1, peopleCount - 1)) % peopleCount;
    return [this.#people[at]!, this.#people[otherAt]!];
  }

  /** Now and then one that was sent before. */
  async #send(from: bigint, to: bigint): Promise<unknown> {
    const isRepeated = this.#random.integer(1, 6) === 1;
    if (!isRepeated) this.#sent += 1;
    const sent = await this.world.send(from, to, { text: `text ${this.#sent}`, clientId: `${from}-${this.#sent}` });
    this.#begun.add(pairKey(from, to));
    return sent;
  }

  /** Of each pair that has written before, one at most, at the same moment. */
  #sendMany(): Promise<unknown> {
    const pairs = this.#people.flatMap((one, at) => this.#people.slice(at + 1).map((other) => [one, other] as const));
    const chosen = pairs.filter(([one, other]) => this.#begun.has(pairKey(one, other)));
    this.#sent += 1;
    return Promise.all(
      chosen.map(([one, other], at) => {
        const [from, to] = this.#random.integer(0, 1) === 0 ? [one, other] : [other, one];
        return settled(this.world.send(from, to, { text: "at once", clientId: `many-${this.#sent}-${at}` }));
      }),
    );
  }

  async #read(reader: bigint, other: bigint): Promise<unknown> {
    const { messages } = await this.world.thread(reader, other);
    const message = messages[this.#random.integer(0, Math.min(2, messages.length))];
    return message ? this.world.read(reader, other, message.id) : null;
  }

  async #delete(userId: bigint, isDeleted: boolean): Promise<void> {
    if (isDeleted) await this.world.social.delete(userId);
    const { db } = this.world.social.database;
    if (!isDeleted) await db.updateTable("users").set({ deleted_at: null }).where("id", "=", userId).execute();
  }

  /** The same, with what messages are called in place of their ids. */
  async #named(value: unknown): Promise<unknown> {
    const { db } = this.world.social.database;
    const messages = await db.selectFrom("messages").select(["id", "sender_id", "client_id"]).execute();
    for (const { id, sender_id, client_id } of messages) this.#names.set(String(id), `${sender_id} ${client_id}`);
    const text = JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `person ${part}` : part));
    return JSON.parse(text, (key, part: unknown) =>
      typeof part === "string" && /^(?:id|read_up_to|up_to|next)$/.test(key) ? (this.#names.get(part) ?? part) : part,
    ) as unknown;
  }
}

/** What a refusal says, or the outcome. */
async function settled(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EndpointError) return { code: error.code, message: error.message, data: error.data };
    throw error;
  }
}

test.each(seeds(2))(
  "[MSG-25] whatever people do, nobody can tell how messages are stored (seed %i)",
  async (seed) => {
    const sending = vi.spyOn(StandingMessages.prototype, "send");
    const [together, singly] = await Promise.all(messageWays.map((way) => History.begin(way, seed)));
    for (let step = 1; step <= steps; step += 1) {
      const [one, other] = await Promise.all([together!.step(), singly!.step()]);
      expect(one, `step ${step}`).toEqual(other);
    }
    for (const each of [together!, singly!]) expect(await each.world.wrongCounters()).toEqual([]);
    // A history in which one of the ways is never taken proves nothing.
    const taken = sending.mock.settledResults.map(({ value }) => value !== null);
    expect(new Set(taken)).toEqual(new Set([true, false]));
  },
  storyTimeoutMs(120_000),
);
