import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ringMs, ringMuteMs, ringsOfFriendMax, ringsPerDayMax } from "@fava/wire/limits.ts";
import { EndpointError } from "#lib/errors.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { type Hindrance, RingWorld } from "#test/fixtures/ring-world.ts";
import { refusals } from "#test/fixtures/social-world.ts";

let world: RingWorld;
beforeAll(async () => {
  world = await RingWorld.open(1_000);
});
afterEach(() => world.stopAll());

const refusal = (code: number, reason: string) => ({ code, data: { reason } });
const notInRoom = refusal(403, "not_in_room");
const statusOf = (userId: bigint) => world.matching.matches.info(userId).status;
const over = (id: string, why: string) => ({ kind: "ring_over", id, why });
const met = (position: string) => ({ msgType: "met", text: "30", position });
const lines = async (one: bigint, other: bigint) =>
  (await world.thread(one, other)).map(({ msgType, text, position }) => ({ msgType, text, position }));

async function wait(ms: number): Promise<void> {
  world.clock.advance(ms);
  await world.settled();
}

describe("a ring", () => {
  test("is pushed to a present friend; acceptance ends searches and calls, and connects both free of charge", async () => {
    const [ana, bo, cem] = await world.friends(3);
    const { matching } = world;
    await matching.start(ana);
    const until = world.clock.nowMs() + ringMs;
    const answer = await world.ring(ana, bo, "offer of ana");
    expect(answer).toEqual({ state: "ringing", id: expect.any(String), until });
    const { id } = answer as Extract<typeof answer, { state: "ringing" }>;
    const from = {
      userId: Number(ana),
      externalId: await world.social.externalIdOf(ana),
      nickname: expect.any(String),
      avatar: "",
    };
    expect([world.told(ana), world.told(bo)]).toEqual([[], [{ kind: "ring", id, from, until }]]);
    expect(statusOf(ana)).toBe(0);
    await matching.start(bo);
    await matching.start(cem);
    expect(matching.partnerOf(bo)).toBe(Number(cem));
    world.social.bus.take(bo);
    await wait(10_000);
    expect(await world.answer(bo, id, 1)).toEqual({ state: "connected" });
    await world.inOneRoom(ana, bo);
    expect(matching.partnerOf(cem)).toBeNull();
    const [toAna, toBo] = [ana, bo].map((userId) => world.social.bus.take(userId));
    expect(toAna).toContainEqual(
      expect.objectContaining({ code: 100_001, media: expect.objectContaining({ role: "offerer" }) }),
    );
    const media = expect.objectContaining({ role: "answerer", peerOffer: "offer of ana" });
    expect(toBo).toContainEqual(expect.objectContaining({ code: 100_001, media }));
    expect(toBo).toContainEqual({ type: "social", event: over(id, "elsewhere") });
    expect([...matching.log.calls.values()].at(-1)).toMatchObject({ offererPrice: 0, answererPrice: 0 });
    expect(await world.stateOf(id)).toEqual({ state: "accepted", offer: null });
  });

  test("is the same ring for the same friend, and ends for another; two who ring each other are connected", async () => {
    const [ana, bo, cem] = await world.friends(3);
    const id = await world.rung(ana, bo);
    expect(await world.ring(ana, bo)).toMatchObject({ state: "ringing", id });
    const second = await world.rung(ana, cem);
    expect(second).not.toBe(id);
    expect([world.told(bo).at(-1), world.told(ana)]).toEqual([over(id, "cancelled"), [over(id, "elsewhere")]]);
    expect(await world.ring(cem, ana)).toMatchObject({ state: "connected", id: second });
    await world.inOneRoom(ana, cem);
    // Of two concurrent rings, the later one accepts the earlier.
    const [dia, eli] = await world.friends(2);
    const both = await Promise.all([world.ring(dia, eli), world.ring(eli, dia)]);
    expect(both.map(({ state }) => state).toSorted()).toEqual(["connected", "ringing"]);
    await world.inOneRoom(dia, eli);
  });

  test("is answered on the caller's latest offer, or on none", async () => {
    const [ana, bo, cem] = await world.friends(3);
    const id = await world.rung(ana, bo, "offer of before");
    expect(await world.ring(ana, bo, "offer")).toMatchObject({ state: "ringing", id });
    await wait(1_000);
    expect(await world.answer(bo, id, 1)).toEqual({ state: "connected" });
    await world.inOneRoom(ana, bo);
    const media = expect.objectContaining({ role: "answerer", peerOffer: "offer" });
    expect(world.social.bus.take(bo)).toContainEqual(expect.objectContaining({ code: 100_001, media }));
    world.stopAll();
    const second = await world.rung(ana, cem, "offer of before");
    await world.ring(ana, cem);
    expect(await world.stateOf(second)).toEqual({ state: "ringing", offer: null });
  });

  test("[RING-4] rejects oneself, strangers, followers, deleted and blocking users as never met", async () => {
    const [ana, bo, cem, dia] = await world.friends(4);
    await world.social.delete(bo);
    await world.social.social.block(cem, ana);
    await world.social.social.follow(dia, ana, false);
    for (const other of [ana, bo, cem, dia, 999_999n])
      await expect(world.ring(ana, other)).rejects.toMatchObject(refusals.notMet);
  });

  test("[RING-4] rejects a caller who is in a call, paused or without a page", async () => {
    const [ana, bo, cem] = await world.friends(3);
    await world.matching.start(ana);
    await world.matching.start(cem);
    await expect(world.ring(ana, bo)).rejects.toMatchObject(refusal(406, "in_call"));
    world.matching.matches.stop(ana);
    world.paused.add(ana);
    await expect(world.ring(ana, bo)).rejects.toMatchObject(refusal(403, "paused"));
    world.paused.delete(ana);
    world.social.bus.disconnect(ana, 4002);
    await expect(world.ring(ana, bo)).rejects.toMatchObject(refusal(403, "no_socket"));
    expect(world.told(bo)).toEqual([]);
  });

  test("[RING-5] does not say why a friend is unavailable: in a call, in a ring, paused, away, avoided, or unwilling", async () => {
    const [ana, bo, cem, dia] = await world.friends(4);
    const { matching, social } = world;
    const reasons: Hindrance[] = [
      [
        "in a call",
        async () => [await matching.start(bo), await matching.start(cem)],
        async () => matching.matches.stop(bo),
      ],
      ["rings", () => world.rung(bo, dia), async () => wait(ringMs)],
      ["is rung", () => world.rung(dia, bo), async () => wait(ringMs)],
      ...world.hindrances(ana, bo),
      ["away", async () => social.bus.disconnect(bo, 4002), () => world.open(bo)],
    ];
    for (const [why, begin, end] of reasons) {
      await begin();
      world.told(bo);
      const before = (await world.thread(ana, bo)).length;
      const answer = JSON.stringify(await world.ring(ana, bo));
      expect([why, answer, world.told(bo), world.told(ana)]).toEqual([why, '{"state":"unavailable"}', [], []]);
      await end();
      await world.settled();
      expect([why, (await world.thread(ana, bo)).length]).toEqual([why, before]);
    }
  });

  test("is limited to three in ten minutes per friend and twenty a day, whatever the outcome", async () => {
    const limited = await RingWorld.open();
    const [ana, bo, cem] = await limited.friends(3);
    const tooOften = { code: 429, data: { retry_after: expect.any(Number) } };
    await limited.mute(bo, ana, 1);
    for (let ring = 0; ring < ringsOfFriendMax - 1; ring += 1) await limited.ring(ana, bo);
    await limited.mute(bo, ana, 0);
    const id = await limited.rung(ana, bo);
    // Neither ringing again nor accepting the friend's ring counts towards the limit.
    expect(await limited.ring(ana, bo)).toMatchObject({ id });
    await limited.cancel(ana, id);
    await expect(limited.ring(ana, bo)).rejects.toMatchObject(tooOften);
    await limited.rung(bo, ana);
    expect(await limited.ring(ana, bo)).toMatchObject({ state: "connected" });
    await limited.inOneRoom(ana, bo);
    limited.stopAll();
    const others = await Promise.all(Array.from({ length: 6 }, () => limited.social.person()));
    for (const other of others) await limited.social.call(ana, other);
    for (const other of others) await limited.social.friends(ana, other);
    const left = ringsPerDayMax - ringsOfFriendMax;
    const inTurn = Array.from({ length: left }, (_, at) => others[at % others.length]!);
    for (const other of inTurn) await limited.ring(ana, other);
    await expect(limited.ring(ana, cem)).rejects.toMatchObject(tooOften);
  });

  test("is answered by the callee only, and once: a second answer returns the first", async () => {
    const [ana, bo, cem] = await world.friends(3);
    const id = await world.rung(ana, bo);
    for (const [who, ring] of [
      [ana, id],
      [cem, id],
      [bo, "unknown"],
    ] as const)
      await expect(world.answer(who, ring, 1)).rejects.toMatchObject(notInRoom);
    await expect(world.cancel(bo, id)).rejects.toMatchObject(notInRoom);
    const answers = await Promise.all([world.answer(bo, id, 0), world.answer(bo, id, 0)]);
    expect([...answers, await world.answer(bo, id, 1)]).toEqual(
      Array.from({ length: 3 }, () => ({ state: "declined" })),
    );
    const second = await world.rung(ana, bo);
    await world.answer(bo, second, 1);
    expect(await world.answer(bo, second, 0)).toEqual({ state: "connected" });
    await world.cancel(ana, second);
    await world.inOneRoom(ana, bo);
  });

  test("ends once for both users, and leaves a line, already read, only if it was missed", async () => {
    const [ana, bo] = await world.friends(2);
    const declined = await world.rung(ana, bo);
    world.told(bo);
    await world.answer(bo, declined, 0);
    expect([world.told(ana), world.told(bo)]).toEqual([[over(declined, "declined")], [over(declined, "elsewhere")]]);
    const cancelled = await world.rung(ana, bo);
    world.told(bo);
    await world.cancel(ana, cancelled);
    await world.cancel(ana, cancelled);
    expect([world.told(ana), world.told(bo)]).toEqual([[over(cancelled, "elsewhere")], [over(cancelled, "cancelled")]]);
    expect(await lines(bo, ana)).toEqual([]);
    const missed = await world.rung(ana, bo);
    world.told(bo);
    await wait(ringMs - 1);
    expect([world.told(ana), world.told(bo)]).toEqual([[], []]);
    await wait(1);
    const events = [ana, bo].map((userId) => world.social.tookSocial(userId));
    for (const told of events)
      expect(told).toMatchObject([
        over(missed, "missed"),
        {
          kind: "message",
          message: { msgType: "missed" },
          conversation: { unreadCount: 0, lastMessage: { msgType: "missed" } },
          unread_total: 0,
        },
      ]);
    await expect(world.answer(bo, missed, 1)).rejects.toMatchObject(notInRoom);
    expect(await lines(bo, ana)).toEqual([met("left"), { msgType: "missed", text: "", position: "left" }]);
    expect(await lines(ana, bo)).toEqual([met("right"), { msgType: "missed", text: "", position: "right" }]);
    expect([await world.unread(ana), await world.unread(bo), statusOf(ana), statusOf(bo)]).toEqual([0, 0, 0, 0]);
  });

  test('ends by "not today", which stops that friend\'s rings for 24 hours and can be cancelled', async () => {
    const [ana, bo, cem] = await world.friends(3);
    const id = await world.rung(ana, bo);
    world.told(bo);
    const until = world.clock.nowMs() + ringMuteMs;
    expect(await world.mute(bo, ana, 1)).toEqual({ until });
    expect([world.told(ana), world.told(bo)]).toEqual([[over(id, "declined")], [over(id, "elsewhere")]]);
    expect(await world.ring(ana, bo)).toEqual({ state: "unavailable" });
    await world.cancel(cem, await world.rung(cem, bo));
    expect(await world.mute(bo, ana, 0)).toEqual({ until: null });
    await world.cancel(ana, await world.rung(ana, bo));
    await world.mute(cem, ana, 1);
    await wait(ringMuteMs);
    await world.open(ana);
    await world.open(cem);
    await world.rung(ana, cem);
    await expect(world.mute(ana, await world.social.person(), 1)).rejects.toMatchObject(refusals.notMet);
  });

  test("[RING-10] ends by a block as if declined or cancelled, and leaves nothing", async () => {
    const [ana, bo, cem] = await world.friends(3);
    const first = await world.rung(ana, bo);
    world.told(bo);
    await world.social.social.block(bo, ana);
    await world.settled();
    expect([world.told(ana), world.told(bo)]).toEqual([[over(first, "declined")], [over(first, "elsewhere")]]);
    await expect(world.answer(bo, first, 1)).resolves.toEqual({ state: "declined" });
    const second = await world.rung(ana, cem);
    world.told(cem);
    await world.social.social.block(ana, cem);
    await world.settled();
    expect([world.told(ana), world.told(cem)]).toEqual([[over(second, "elsewhere")], [over(second, "cancelled")]]);
    await expect(world.answer(cem, second, 1)).rejects.toMatchObject(notInRoom);
    const { rows } = await world.social.database.pool.query(
      "select from messages where kind = 'missed' and sender_id = $1",
      [ana],
    );
    expect([rows.length, statusOf(ana), statusOf(cem)]).toEqual([0, 0, 0]);
  });

  test.each([4001, 4002, 4003] as const)(
    "[RING-10] ends when either user is signed out or banned (%i), as missed if that is the callee",
    async (code) => {
      const [ana, bo] = await world.friends(2);
      const first = await world.rung(ana, bo);
      world.told(bo);
      world.social.bus.disconnect(ana, code);
      await world.settled();
      expect(world.told(bo)).toEqual([over(first, "cancelled")]);
      await world.open(ana);
      const second = await world.rung(ana, bo);
      world.social.bus.disconnect(bo, code);
      await world.settled();
      expect(world.told(ana)).toEqual([over(second, "missed")]);
      expect((await lines(ana, bo)).map(({ msgType }) => msgType)).toEqual(["met", "missed"]);
    },
  );

  test("[RING-10] continues when the callee reloads the page, and is pushed to it; ends when the caller's page closes", async () => {
    const [ana, bo] = await world.friends(2);
    const id = await world.rung(ana, bo);
    world.social.bus.close(bo, 1001);
    world.social.bus.arrive(bo);
    await world.settled();
    expect(world.told(bo)).toMatchObject([{ kind: "ring", id, from: { userId: Number(ana) } }]);
    world.social.bus.close(ana, 1006);
    world.social.bus.resume(ana);
    await world.settled();
    expect(world.told(bo)).toEqual([]);
    world.social.bus.close(ana, 1001);
    await world.settled();
    expect(world.told(bo)).toEqual([over(id, "cancelled")]);
  });

  test("of a killed server is ended by the home of the other user, or by any server, and leaves its line", async () => {
    const [ana, bo] = await world.friends(2);
    const killed = world.process();
    const ringing = await killed.ring({ userId: ana, language: "en" }, { otherId: bo, offer: "offer" });
    const { id } = ringing as Extract<typeof ringing, { state: "ringing" }>;
    world.told(bo);
    await killed[Symbol.asyncDispose]();
    await wait(ringMs - 1);
    expect(await world.stateOf(id)).toEqual({ state: "ringing", offer: "offer" });
    await wait(1);
    const expectMissed = async (missed: string) => {
      expect(await world.stateOf(missed)).toEqual({ state: "missed", offer: null });
      for (const userId of [ana, bo])
        expect(world.social.tookSocial(userId)).toMatchObject([
          over(missed, "missed"),
          { message: { msgType: "missed" } },
        ]);
    };
    await expectMissed(id);
    // No server has this ring in memory.
    const lost = await world.rung(ana, bo);
    world.told(bo);
    await world.db
      .updateTable("rings")
      .set({ until: new Date(world.clock.nowMs()) })
      .where("id", "=", lost)
      .execute();
    await world.rings.tidy();
    await world.rings.tidy();
    await world.settled();
    await expectMissed(lost);
    // A ring in the other direction can begin although an expired one has not been ended.
    const again = await world.process().ring({ userId: bo, language: "en" }, { otherId: ana, offer: null });
    expect(again.state).toBe("ringing");
  });

  test("is missed if accepted after the caller left or is in a call, and nobody waits", async () => {
    const [ana, bo, cem] = await world.friends(3);
    const id = await world.rung(ana, bo);
    await world.matching.start(cem);
    await world.matching.start(ana);
    expect(world.matching.partnerOf(ana)).toBe(Number(cem));
    world.told(ana);
    await expect(world.answer(bo, id, 1)).rejects.toMatchObject(notInRoom);
    await world.settled();
    expect([world.told(ana), statusOf(bo), world.matching.partnerOf(ana)]).toEqual([
      [over(id, "missed")],
      0,
      Number(cem),
    ]);
    await expect(world.answer(bo, id, 1)).rejects.toMatchObject(notInRoom);
    world.matching.matches.stop(ana);
    const second = await world.rung(ana, bo);
    world.paused.add(bo);
    const start = world.matching.matches.start.bind(world.matching.matches);
    // The caller's search fails to start, so only the friend waits.
    world.matching.matches.start = async (request) =>
      request.userId === ana ? { state: "searching", price: 0, since: 0 } : start(request);
    world.told(bo);
    expect(await world.answer(bo, second, 1)).toEqual({ state: "connected" });
    await wait(9_999);
    expect([statusOf(bo), world.told(bo)]).toEqual([1, [over(second, "elsewhere")]]);
    await wait(1);
    expect([statusOf(bo), world.told(bo)]).toEqual([0, [over(second, "missed")]]);
    world.matching.matches.start = start;
    world.paused.delete(bo);
  });

  test("[RING-16] is deleted ten minutes after its end, and a mute when it expires", async () => {
    const [ana, bo] = await world.friends(2);
    await world.mute(ana, bo, 1);
    const id = await world.rung(ana, bo);
    await wait(ringMs);
    await wait(600_000 - 1);
    await world.rings.tidy();
    expect(await world.stateOf(id)).toEqual({ state: "missed", offer: null });
    await wait(2);
    await world.rings.tidy();
    expect(await world.stateOf(id)).toBeUndefined();
    const mutes = () => world.db.selectFrom("ring_mutes").select("until").where("user_id", "=", ana).execute();
    expect(await mutes()).toHaveLength(1);
    await wait(ringMuteMs);
    await world.rings.tidy();
    expect(await mutes()).toEqual([]);
  });
});

describe("many simultaneous rings", () => {
  test("[RING-1] make at most one room each, occupy a user once at a time, and end in time", async () => {
    const people = await world.friends(4);
    const madeBefore = world.matching.log.calls.size;
    const random = seededRandom(11);
    const below = (count: number) => random.integer(0, count - 1);
    const anybody = () => people[below(people.length)]!;
    const known: string[] = [];
    const connected = new Set<string>();
    const recent = () => known.at(-1 - below(Math.min(3, known.length))) ?? "none";
    const answer = async (accept: 0 | 1) => {
      const id = recent();
      // Mostly the callee answers, sometimes a random user.
      const ring = await world.db.selectFrom("rings").select("rung_id").where("id", "=", id).executeTakeFirst();
      const by = below(4) === 0 || !ring ? anybody() : ring.rung_id;
      if ((await world.answer(by, id, accept)).state === "connected") connected.add(id);
    };
    const failures: unknown[] = [];
    const unlessRefused = async (act: () => unknown) => {
      try {
        await act();
      } catch (error) {
        if (!(error instanceof EndpointError)) failures.push(error);
      }
    };
    const ring = async () => {
      const answer = await world.ring(anybody(), anybody());
      if (answer.state !== "unavailable") known.push(answer.id);
      if (answer.state === "connected") connected.add(answer.id);
    };
    const acts: (() => unknown)[] = [
      ring,
      ring,
      ring,
      ring,
      () => answer(1),
      () => answer(1),
      () => answer(0),
      () => world.cancel(anybody(), recent()),
      () => world.stopAll(),
      () => world.rings.tidy(),
    ];
    for (let round = 0; round < 80; round += 1) {
      const together = Array.from({ length: 1 + below(4) }, () => acts[below(acts.length)]!);
      await Promise.all(together.map(unlessRefused));
      if (below(3) === 0) world.clock.advance(below(12_000));
      await world.settled();
      if (below(4) === 0) {
        const userId = anybody();
        world.social.bus.close(userId, 1001);
        await world.open(userId);
      }
      const rings = await world.db.selectFrom("rings").selectAll().where("ringer_id", "in", people).execute();
      const live = rings.filter(({ state }) => state === "ringing");
      const concerned = live.flatMap(({ ringer_id, rung_id }) => [ringer_id, rung_id]);
      expect(new Set(concerned).size).toBe(concerned.length);
      for (const { until } of live) expect(until.getTime()).toBeGreaterThan(world.clock.nowMs());
      const tooLate = rings.filter(({ state, until, ended_at }) => state === "accepted" && ended_at! >= until);
      expect([tooLate, failures]).toEqual([[], []]);
    }
    expect([known.length > 5, connected.size > 0]).toEqual([true, true]);
    // Nobody pressed Start, so a ring created every room.
    expect(world.matching.log.calls.size - madeBefore).toBeLessThanOrEqual(connected.size);
  });
});
