import { pino } from "pino";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { openDatabase } from "#db/pool.ts";
import { pairKey } from "#lib/keyed-mutex.ts";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { MessageSender, type NewMessage } from "./message-sender.ts";
import { type ConversationStanding, decideSend } from "./message-store.ts";
import { UserPushQueue } from "./user-push-queue.ts";

const logger = pino({ level: "silent" });
let world: MessageWorld;

beforeAll(async () => {
  world = await MessageWorld.open();
});

afterEach(() => vi.restoreAllMocks());

function messageSender(pushQueue = new UserPushQueue()): MessageSender {
  return new MessageSender({ db: world.social.database.db, pushQueue, logger });
}

/** Two users with a conversation, whose earlier pushes were taken. */
async function pair(): Promise<[bigint, bigint]> {
  const [ana, bo] = await world.friends();
  await world.send(ana, bo, "the first one");
  for (const person of [ana, bo]) world.social.tookSocial(person);
  return [ana, bo];
}

let written = 0;

function messageOf([from, to]: readonly [bigint, bigint], text = "hello"): NewMessage {
  written += 1;
  const now = new Date(world.social.clock.nowMs());
  return {
    from,
    to,
    clientId: `written-${written}`,
    kind: "text",
    text,
    cover: null,
    isForFriends: false,
    now,
    mayRequest: false,
  };
}

const messageToNobody = (number: number) => messageOf([1n, 1_000_000n + BigInt(number)]);

test("stores simultaneous messages in one call, fifty at most", async () => {
  const pairs = [await pair(), await pair(), await pair()];
  const connect = vi.spyOn(world.social.database.pool, "connect");
  const sender = messageSender();
  const stored = await Promise.all(pairs.map((each) => sender.send(messageOf(each))));
  expect(stored.map((each) => each.kind === "stored" && each.theirs?.unread_total)).toEqual([2, 2, 2]);
  expect(connect).toHaveBeenCalledTimes(1);
  await Promise.all(Array.from({ length: 51 }, (_, number) => sender.send(messageToNobody(number))));
  expect(connect).toHaveBeenCalledTimes(3);
  expect(await world.wrongCounters()).toEqual([]);
});

test("stores two messages of one conversation in order, and one client id once", async () => {
  const [ana, bo] = await pair();
  const cem = await world.social.person();
  await world.social.call(ana, cem);
  await world.social.friends(ana, cem);
  await world.send(ana, cem);
  const sender = messageSender();
  const twice = await Promise.all([messageOf([ana, bo]), messageOf([bo, ana])].map((each) => sender.send(each)));
  expect(twice.map(({ kind }) => kind)).toEqual(["stored", "stored"]);
  const message = messageOf([ana, bo]);
  const one = await Promise.all([message, { ...message, to: cem }].map((each) => sender.send(each)));
  expect(one.map(({ kind }) => kind).toSorted()).toEqual(["stored", "used"]);
  expect((await sender.send(message)).kind).toBe(one[0]!.kind === "stored" ? "repeated" : "used");
  expect(await world.wrongCounters()).toEqual([]);
});

/** For two users whose request was accepted: changes after which a message has another outcome. */
const changes: Record<string, [outcome: string, change: (ana: bigint, bo: bigint) => Promise<unknown>]> = {
  "the writer has blocked the other": ["hidden", (ana, bo) => world.social.social.block(ana, bo)],
  "the other has blocked the writer": ["hidden", (ana, bo) => world.social.social.block(bo, ana)],
  "the other has deleted the account": ["hidden", (_, bo) => world.social.delete(bo)],
  "they were friends, and nothing else": ["not_friends", (ana, bo) => changed(ana, bo, { accepted: false })],
  "a request waits": ["request_pending", (ana, bo) => changed(ana, bo, { requested_by: ana })],
};

function changed(one: bigint, other: bigint, change: { accepted: boolean } | { requested_by: bigint }) {
  const [low, high] = one < other ? [one, other] : [other, one];
  const { db } = world.social.database;
  return db.updateTable("conversations").set(change).where("low_id", "=", low).where("high_id", "=", high).execute();
}

test.each(Object.entries(changes))("stores nothing where %s", async (_, [outcome, change]) => {
  const [ana, bo] = await world.strangers();
  await world.send(ana, bo);
  await world.answer(bo, ana, 1);
  const sender = messageSender();
  expect(await sender.send(messageOf([ana, bo]))).toMatchObject({ kind: "stored" });
  await change(ana, bo);
  expect(await sender.send(messageOf([ana, bo]))).toEqual({ kind: outcome });
  const { db } = world.social.database;
  const stored = await db.selectFrom("messages").select("kind").where("sender_id", "=", ana).execute();
  expect(stored.filter(({ kind }) => kind === "text")).toHaveLength(2);
});

test("[MSG-21] shows nobody a writer who has deleted the account", async () => {
  const [ana, bo] = await pair();
  await world.social.delete(ana);
  expect(await messageSender().send(messageOf([ana, bo]))).toMatchObject({ kind: "stored", theirs: null });
});

/** Sends a message between two users in this relation, and returns its outcomes and the conversation afterwards. */
async function decided(friends: boolean, met: boolean, standing: ConversationStanding | null) {
  const { db } = world.social.database;
  const [ana, bo] = await world.social.metPeople(2);
  const [low_id, high_id] = ana < bo ? [ana, bo] : [bo, ana];
  if (friends) await world.social.friends(ana, bo);
  const requestedBy = { me: ana, other: bo, none: null }[standing?.requestedBy ?? "none"];
  const accepted = standing?.accepted ?? false;
  const created_at = new Date(world.social.clock.nowMs());
  if (standing)
    await db
      .insertInto("conversations")
      .values({ low_id, high_id, requested_by: requestedBy, accepted, created_at })
      .execute();
  const sender = messageSender();
  const message = { ...messageOf([ana, bo]), callSeconds: met ? 30 : null };
  const forFriends = await sender.send({ ...message, isForFriends: true });
  const unasked = forFriends.kind === "unfit" ? await sender.send(message) : null;
  const asked = unasked?.kind === "asks" ? await sender.send({ ...message, mayRequest: true }) : null;
  const last = asked ?? unasked ?? forFriends;
  const row = last.kind === "stored" ? last.own.row : null;
  const after = row && {
    requestedBy: row.requested_by === null ? null : row.requested_by === ana ? "me" : "other",
    accepted: row.accepted,
  };
  return { steps: [forFriends, unasked, asked].flatMap((sent) => (sent ? [sent.kind] : [])), after };
}

test("decides like the lists", async () => {
  const requests = (["me", "other", null] as const).map((requestedBy) => ({ requestedBy, accepted: false }));
  const standings = [null, ...requests, { requestedBy: null, accepted: true }];
  for (const friends of [true, false])
    for (const met of [true, false])
      for (const standing of standings) {
        const decision = decideSend({ friends, met, standing });
        const isRequest = decision.kind === "write" && decision.standing.requestedBy === "me";
        const refusal = decision.kind === "refuse" && (standing === null ? "strangers" : decision.reason);
        expect(await decided(friends, met, standing), `${friends} ${met} ${JSON.stringify(standing)}`).toEqual({
          steps: isRequest ? ["unfit", "asks", "stored"] : [refusal || "stored"],
          after: decision.kind === "write" ? decision.standing : null,
        });
      }
});

test("fails only the message that cannot be stored", async () => {
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

test("does not delay other messages for a locked conversation", async () => {
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

test("rejects a message at once when the queue is full; rejects all without a database", async () => {
  const sender = messageSender();
  const sent = await Promise.allSettled(
    Array.from({ length: 5_001 }, (_, number) => sender.send(messageToNobody(number))),
  );
  expect(sent.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(sent.at(-1)).toMatchObject({ reason: { name: "DatabaseUnavailableError", reason: "busy" } });
  await using nowhere = openDatabase("postgres://127.0.0.1:1/nowhere", { max: 1 });
  const lost = new MessageSender({ db: nowhere.db, pushQueue: new UserPushQueue(), logger });
  const failed = await Promise.allSettled([1n, 3n].map((from) => lost.send(messageOf([from, 2n]))));
  for (const each of failed) expect(each).toMatchObject({ reason: { name: "DatabaseUnavailableError" } });
});

test("[MSG-21] does not push a stored message to a user who blocks its writer meanwhile", async () => {
  const [ana, bo] = await pair();
  const { social } = world.social;
  let release = (): void => undefined;
  const held = social.pushQueue.run(bo, () => new Promise<void>((resolve) => (release = resolve)));
  const sending = world.send(ana, bo, "too late").catch((error: unknown) => error);
  await vi.waitFor(() => expect(world.tookMessages(ana)).toHaveLength(1));
  const blocking = social.block(bo, ana);
  await vi.waitFor(async () => expect(await social.isHidden(ana, bo)).toBe(true));
  release();
  await Promise.all([held, sending, blocking]);
  expect(world.social.tookSocial(bo).map(({ kind }) => kind)).toEqual(["hidden"]);
});

test("pushes a message that waits behind another with the total of that moment", async () => {
  const [ana, bo] = await pair();
  const cem = await world.social.person();
  await world.social.call(cem, bo);
  await world.social.friends(cem, bo);
  await world.send(cem, bo);
  world.tookMessages(bo);
  const { pushQueue } = world.social.social;
  let release = (): void => undefined;
  const held = pushQueue.run(bo, () => new Promise<void>((resolve) => (release = resolve)));
  const first = world.send(ana, bo, "one");
  await vi.waitFor(() => expect(world.tookMessages(ana)).toHaveLength(1));
  const second = world.send(cem, bo, "two");
  await vi.waitFor(async () => expect(await world.messages.unreadTotal(bo)).toBe(4));
  release();
  await Promise.all([held, first, second]);
  const told = world.tookMessages(bo).map(({ message, unread_total }) => `${message.text} ${unread_total}`);
  expect(told).toEqual(["one 4", "two 4"]);
});
