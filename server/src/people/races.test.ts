import { pino } from "pino";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { EndpointError } from "#lib/errors.ts";
import { TextRulesService } from "#moderation/text-service.ts";
import { noTextFindings } from "#test/fakes/no-text-findings.ts";
import { noAgeChecks } from "#test/fixtures/matched.ts";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { MessageService } from "./message-service.ts";
import { UserPushQueue } from "./user-push-queue.ts";
import { MessageSender } from "./message-sender.ts";

describe("messages", () => {
  let world: MessageWorld;

  beforeAll(async () => {
    world = await MessageWorld.open();
  });

  afterEach(() => vi.restoreAllMocks());

  /** The service of another server. Only the database orders the changes of both. */
  function otherProcess(): MessageService {
    const { clock, bus, database, social } = world.social;
    const { db } = database;
    const [pushQueue, logger] = [new UserPushQueue(), pino({ level: "silent" })];
    return new MessageService({
      db,
      directory: social,
      pushQueue,
      sender: new MessageSender({ db, pushQueue, logger }),
      texts: new TextRulesService({ db, log: noTextFindings }),
      bus,
      limits: { take: async () => null, waitSeconds: async () => null },
      notifications: { notifyOfMessage: () => undefined },
      ages: noAgeChecks,
      clock,
      logger,
      official: world.official,
    });
  }

  async function sending(from: bigint, to: bigint): Promise<string> {
    const refusal = await world.send(from, to, "on its way").then(
      () => null,
      (error: unknown) => error,
    );
    if (refusal === null) return "sent";
    if (refusal instanceof EndpointError) return refusal.message;
    throw refusal;
  }

  test("stores many simultaneous messages once, pushed in id order, with right counters", async () => {
    const [ana, bo] = await world.friends();
    await Promise.all(
      Array.from({ length: 24 }, (_, number) =>
        number % 2 === 0 ? world.send(ana, bo, `a${number}`) : world.send(bo, ana, `b${number}`),
      ),
    );
    expect(await world.list(bo)).toMatchObject([{ unreadCount: 12 }]);
    expect(await world.wrongCounters()).toEqual([]);
    for (const person of [ana, bo]) {
      const told = world.tookMessages(person);
      const ids = told.map(({ message }) => BigInt(message.id));
      expect(new Set(ids).size).toBe(24);
      expect(ids).toEqual(ids.toSorted((one, other) => Number(one - other)));
      expect(told.at(-1)).toMatchObject({ unread_total: 12, conversation: { unreadCount: 12 } });
    }
  });

  test("pushes a slow message first, and with totals of its own moment", async () => {
    const [ana, bo] = await world.friends();
    const { social } = world.social;
    const presencesOf = social.presencesOf.bind(social);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let held = 0;
    vi.spyOn(social, "presencesOf").mockImplementation(async (people) => {
      if (people.some(({ id }) => id === ana) && (held += 1) === 1) await released;
      return presencesOf(people);
    });
    const sent = [world.send(ana, bo, "one")];
    await vi.waitFor(() => expect(held).toBe(1));
    sent.push(world.send(ana, bo, "two"));
    // The second message is stored and pushed to its sender while the first still waits for its push to the receiver.
    const told: string[] = [];
    await vi.waitFor(() => {
      told.push(...world.tookMessages(ana).map(({ message }) => message.text));
      expect(told).toEqual(["one", "two"]);
    });
    expect(world.tookMessages(bo)).toEqual([]);
    release();
    await Promise.all(sent);
    const heard = world.tookMessages(bo).map(({ message, unread_total }) => `${message.text} ${unread_total}`);
    expect(heard).toEqual(["one 1", "two 2"]);
  });

  test("leaves the total after a block, although a message of another user is pushed meanwhile", async () => {
    const [ana, bo, cem] = await world.social.metPeople(3);
    for (const other of [bo, cem]) await world.social.friends(ana, other);
    await world.social.arrive(ana, bo, cem);
    await world.send(bo, ana);
    const { social } = world.social;
    const presencesOf = social.presencesOf.bind(social);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    vi.spyOn(social, "presencesOf").mockImplementation(async (people) => {
      if (people.some(({ id }) => id === cem)) {
        isHeld = true;
        await released;
      }
      return presencesOf(people);
    });
    const writing = world.send(cem, ana);
    await vi.waitFor(() => expect(isHeld).toBe(true));
    const blocking = social.block(ana, bo);
    await vi.waitFor(async () => expect(await social.isHidden(ana, bo)).toBe(true));
    await world.messages.unreadTotal(ana);
    release();
    await Promise.all([writing, blocking]);
    const totals = world.social
      .tookSocial(ana)
      .flatMap((event) => ("unread_total" in event ? [event.unread_total] : []));
    expect(totals.at(-1)).toBe(1);
  });

  test("stores at two servers at once: ids grow, a client id is stored once, counters are right", async () => {
    const [ana, bo] = await world.friends();
    const elsewhere = otherProcess();
    const externalId = await world.social.externalIdOf(bo);
    const there = (clientId: string) =>
      elsewhere.send({ userId: ana, language: "en" }, { externalId, clientId, text: clientId });
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, number) => [
        world.send(ana, bo, { text: `n${number}`, clientId: `n${number}` }),
        there(`n${number}`),
      ]).flat(),
    );
    expect(new Set(sent.map(({ message }) => message.id)).size).toBe(8);
    expect(await world.texts(bo, ana)).toHaveLength(9);
    expect(await world.list(bo)).toMatchObject([{ unreadCount: 8 }]);
    expect(await world.wrongCounters()).toEqual([]);
    expect(world.tookMessages(bo)).toHaveLength(8);
  });

  test("keeps counters right when one user reads and the other writes at two servers", async () => {
    const [ana, bo] = await world.friends();
    const elsewhere = otherProcess();
    const externalId = await world.social.externalIdOf(ana);
    const reading = async () => {
      for (let round = 0; round < 12; round += 1) {
        const [newest] = (await world.thread(bo, ana)).messages;
        if (newest) await elsewhere.read({ userId: bo, language: "en" }, { externalId, upTo: BigInt(newest.id) });
      }
    };
    const writing = Array.from({ length: 12 }, (_, number) => world.send(ana, bo, `n${number}`));
    await Promise.all([...writing, reading(), reading()]);
    expect(await world.wrongCounters()).toEqual([]);
    const [newest] = (await world.thread(bo, ana)).messages;
    expect(await world.read(bo, ana, newest?.id ?? "")).toBe(0);
    expect(await world.wrongCounters()).toEqual([]);
  });

  test("answers both requests when two strangers write at the same moment", async () => {
    for (let round = 0; round < 4; round += 1) {
      const [ana, bo] = await world.strangers();
      const both = await Promise.all([world.send(ana, bo, "from ana"), world.send(bo, ana, "from bo")]);
      expect(both).toHaveLength(2);
      expect([await world.list(ana), await world.list(bo)]).toMatchObject([[{ state: "open" }], [{ state: "open" }]]);
    }
  });

  test("stores one of two simultaneous requests of a user, and rejects the other", async () => {
    const [ana, bo] = await world.strangers();
    const outcomes = await Promise.allSettled([world.send(ana, bo, "one"), world.send(ana, bo, "two")]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await world.texts(bo, ana)).toHaveLength(2);
  });

  test("stores one message for a client id used for two users at once, and no second conversation", async () => {
    const ana = await world.social.person();
    const others = [await world.social.person(), await world.social.person()] as const;
    for (const other of others) await world.social.call(ana, other);
    const line = { text: "hello", clientId: `both-${ana}` };
    const outcomes = await Promise.allSettled(others.map((other) => world.send(ana, other, line)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const threads = await Promise.all(others.map((other) => world.thread(ana, other)));
    expect(threads.filter(({ conversation }) => conversation.conversationID !== "")).toHaveLength(1);
    const may = await Promise.all(others.map((other) => world.messages.canMessage(ana, other)));
    expect(may.toSorted()).toEqual(["no", "request"]);
  });

  test("[MSG-21] stores or rejects a message at the moment of a block, and shows it to neither afterwards", async () => {
    for (let round = 0; round < 6; round += 1) {
      const [ana, bo] = await world.friends();
      const [outcome] = await Promise.all([sending(ana, bo), world.social.social.block(bo, ana)]);
      expect(["sent", "not_met"]).toContain(outcome);
      const told = world.social.tookSocial(bo).map(({ kind }) => kind);
      expect([["hidden"], ["message", "hidden"]]).toContainEqual(told);
      expect(await world.page(bo)).toMatchObject({ unread_total: 0, conversations: [{ state: "official" }] });
      await expect(world.send(ana, bo)).rejects.toMatchObject({ code: 403, data: { reason: "not_met" } });
    }
  });

  test("[MSG-21] leaves nothing in a list of an account that is deleted while it receives messages", async () => {
    for (let round = 0; round < 4; round += 1) {
      const [ana, bo] = await world.friends();
      const [outcome] = await Promise.all([sending(ana, bo), world.social.delete(bo)]);
      expect(["sent", "not_met"]).toContain(outcome);
      expect(await world.list(ana)).toEqual([]);
      expect(await world.wrongCounters()).toEqual([]);
    }
  });
});
