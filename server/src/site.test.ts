import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { FakeCollector } from "#test/fakes/fake-collector.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { type ServerInProcess, startServer } from "#test/fixtures/site-in-process.ts";
import { SitePerson } from "#test/fixtures/site-person.ts";

/** A shared machine may stall for seconds. */
const patiently = { timeout: 30_000 };

describe.runIf(redisIsInstalled)("two servers of a site", () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let here: ServerInProcess;
  let there: ServerInProcess;
  let collector: FakeCollector;

  beforeAll(async () => {
    database = await createTestDatabase();
    redis = await TestRedis.start();
    collector = await FakeCollector.start();
    const otlpEndpoint = collector.endpoint;
    here = await startServer({ database, redis, otlpEndpoint });
    there = await startServer({ database, redis, otlpEndpoint });
  });
  afterAll(async () => {
    await here[Symbol.asyncDispose]();
    await there[Symbol.asyncDispose]();
    await collector[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  test("lets two users at two servers meet, talk, and search again", async () => {
    await using ana = await SitePerson.at(here, "ana");
    await using bo = await SitePerson.at(there, "bo");
    expect((await ana.start()).data).toMatchObject({ state: "searching" });
    await bo.start();
    const [forAna, forBo] = [await ana.matched(), await bo.matched()];
    expect([forAna.roomId, forAna.user_Id, forBo.user_Id]).toEqual([forBo.roomId, bo.userId, ana.userId]);
    const { roomId } = forAna;
    for (const person of [ana, bo]) {
      expect((await person.join(roomId)).code).toBe(200);
      expect(await person.isIn(roomId)).toBe(true);
    }
    const sides = [
      [ana, forAna],
      [bo, forBo],
    ] as const;
    for (const [person, { token: roomToken }] of sides) {
      person.say({ type: "media", roomId, roomToken, state: "playing" });
      person.say({ type: "chat", roomId, roomToken, clientId: "hello", text: `from ${person.userId}` });
    }
    for (const [person, other] of [
      [ana, bo],
      [bo, ana],
    ] as const) {
      expect(await person.socket.next("chat")).toMatchObject({ roomId, text: `from ${other.userId}` });
      expect(await person.socket.next("chat-stored")).toMatchObject({ roomId, clientId: "hello" });
    }
    await vi.waitFor(async () => expect((await bo.info()).status).toBe(3), patiently);
    await vi.waitFor(async () => expect((await ana.info()).status).toBe(3), patiently);

    // The user at the server without the room presses Next.
    await using cem = await SitePerson.at(here, "cem");
    await bo.start();
    expect(await ana.push(100_002)).toMatchObject({ roomId, reason: "left" });
    await cem.start();
    const [next, forCem] = [await bo.matched(), await cem.matched()];
    expect([next.roomId, next.user_Id, forCem.user_Id]).toEqual([forCem.roomId, cem.userId, bo.userId]);
    await cem.stop();
    await bo.push(100_002);
    await vi.waitFor(
      async () => expect([(await bo.info()).status, (await cem.info()).status]).toEqual([0, 0]),
      patiently,
    );
  });

  test("gives each user of a match across servers a trace from start to push", async () => {
    await using ana = await SitePerson.at(here, "hal");
    await using bo = await SitePerson.at(there, "ida");
    const nameOf = (trace: string) => `00-${trace.repeat(32)}-b7ad6b7169203331-01`;
    await ana.start(0, undefined, nameOf("a"));
    await bo.start(0, undefined, nameOf("b"));
    const [forAna, forBo] = [await ana.matched(), await bo.matched()];
    expect([forAna.traceparent, forBo.traceparent]).toEqual([nameOf("a"), nameOf("b")]);
    const stepsOf = (trace: string) =>
      collector.spans.filter(({ traceId }) => traceId === trace.repeat(32)).map(({ name }) => name);
    const steps = ["match.push", "match.room", "match.settle", "match.start", "match.wait"];
    await vi.waitFor(() => {
      for (const trace of ["a", "b"]) expect([...new Set(stepsOf(trace))].toSorted()).toEqual(steps);
    }, patiently);
    const moved = collector.spans.filter(({ attributes }) => attributes.hasMoved === true);
    expect(moved.map(({ traceId }) => traceId[0])).toEqual(["b"]);
    await ana.stop();
    await bo.push(100_002);
  });

  test("moves an opened preview at another server to the open one, where the user is matched", async () => {
    await using ana = await SitePerson.at(here, "jo");
    await using bo = await SitePerson.at(there, "kim");
    for (const person of [ana, bo]) person.ignoresMoves();
    const places = [
      [ana, here],
      [bo, there],
    ] as const;
    const moveOf = ({ socket }: SitePerson) =>
      socket.received.find((message) => message.type === "move" && message.to !== undefined);
    const [mover, place] = await vi.waitFor(async () => {
      for (const [person] of places) person.socket.send({ type: "preview" });
      for (const [person] of places) await person.socket.settled();
      const moving = places.filter(([person]) => moveOf(person));
      expect(moving).toHaveLength(1);
      return moving[0]!;
    }, patiently);
    const { to } = await mover.socket.next("move");
    expect(await mover.goOnAt(place, 0, to)).toBe(4008);
    await ana.start();
    await bo.start();
    const [forAna, forBo] = [await ana.matched(), await bo.matched()];
    expect([forAna.roomId, forAna.user_Id, forBo.user_Id]).toEqual([forBo.roomId, bo.userId, ana.userId]);
    // Both are at one server now.
    mover.socket.send({ type: "preview" });
    await mover.socket.settled();
    expect(moveOf(mover)).toBeUndefined();
    await ana.stop();
    await bo.push(100_002);
    await statuses([ana, 0], [bo, 0]);
  });

  test("[SOCKET-110] brings search, call and unacknowledged messages of a chat session to another server", async () => {
    await using ana = await SitePerson.at(here, "fay");
    await using bo = await SitePerson.at(here, "gus");
    await ana.start();
    expect(await ana.goOnAt(there, 0)).toBe(4008);
    // The chat session opens first.
    await statuses([ana, 1]);
    await bo.start();
    const [forAna, forBo] = [await ana.matched(), await bo.matched()];
    const { roomId } = forAna;
    expect(forBo.roomId).toBe(roomId);
    await seeEachOther([ana, forAna], [bo, forBo]);
    // Until now both have received only the match.
    let heard = 1;
    const speak = async () => {
      const text = `line ${heard}`;
      ana.say({ type: "chat", roomId, roomToken: forAna.token, clientId: text, text });
      heard += 1;
      expect(await bo.socket.next("chat")).toMatchObject({ sequence: heard, text });
    };
    await speak();
    // The call's server also has the chat sessions: the page returns to it through either server.
    for (const [person, place] of [
      [bo, there],
      [ana, here],
      [bo, here],
      [ana, there],
    ] as const) {
      expect(await person.goOnAt(place, person === bo ? heard : 1)).toBe(1006);
      await speak();
    }
    // The server resends unacknowledged messages.
    await bo.goOnAt(there, heard - 1);
    expect(await bo.socket.next("chat")).toMatchObject({ sequence: heard, text: `line ${heard - 1}` });
    const told = [...ana.socket.received, ...bo.socket.received].filter(({ type }) => type === "peer-media");
    expect(told.filter((message) => "state" in message && message.state !== "playing")).toEqual([]);
    expect([(await ana.info()).status, (await bo.info()).match?.roomId]).toEqual([3, roomId]);
    await bo.stop();
    expect(await ana.push(100_002)).toMatchObject({ roomId, reason: "left" });
    const ended = async () => expect([(await ana.info()).status, (await bo.info()).status]).toEqual([0, 0]);
    await vi.waitFor(ended, patiently);
  });

  test("shows friends at another server as online or offline, in lists and by push", async () => {
    await using ana = await SitePerson.at(here, "fay");
    await using bo = await SitePerson.at(there, "gus");
    await ana.start();
    await bo.start();
    for (const person of [ana, bo]) {
      const { roomId, token: roomToken } = await person.matched();
      await person.join(roomId);
      person.say({ type: "media", roomId, roomToken, state: "playing" });
    }
    await vi.waitFor(async () => expect((await ana.info()).status).toBe(3), patiently);
    await ana.follow(bo);
    await bo.follow(ana);
    expect([await ana.friends(), await bo.friends()]).toEqual([
      new Map([[bo.userId, "online"]]),
      new Map([[ana.userId, "online"]]),
    ]);
    // Sends the request to a server with neither user, or with only the partner.
    ana.callThrough(there);
    expect(await ana.friends()).toEqual(new Map([[bo.userId, "online"]]));
    ana.callThrough(here);
    const heard = async (presence: "online" | "offline") => {
      for (;;) if ((await ana.socket.next("presence")).presence === presence) return;
    };
    bo.socket.socket.close(1001);
    await heard("offline");
    expect(await ana.friends()).toEqual(new Map([[bo.userId, "offline"]]));
    await bo.reopen(there);
    await heard("online");
    expect(await ana.friends()).toEqual(new Map([[bo.userId, "online"]]));
  });

  test("sends 100_007 to a client that knows only the contract when another server changes its beans, and accepts its report of type 1", async () => {
    await using ana = await SitePerson.at(here, "lea");
    const { own } = await ana.reportData();
    const given = await fetch(`${there.url}/sandbox/beans`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ user_no: own.user_no, beans: 700 }),
    });
    expect(given.status).toBe(200);
    expect(await ana.push(100_003)).toEqual({ code: 100_003 });
    expect(await ana.push(100_007)).toEqual({ code: 100_007 });
    expect(await ana.reportData()).toMatchObject({ code: 200, own: { user_no: own.user_no } });
  });

  /** The two have a call, and both ask to meet again. */
  async function wantAgain(ana: SitePerson, bo: SitePerson): Promise<void> {
    await ana.start();
    await bo.start();
    await talk(ana, bo);
    // The database stores the call a moment after its end.
    await vi.waitFor(async () => expect((await bo.wantAgain(ana)).data).toEqual({ meet: "asked" }), patiently);
    expect((await ana.wantAgain(bo)).data).toEqual({ meet: "both" });
  }

  async function seeEachOther(...both: readonly (readonly [SitePerson, { roomId: string; token: string }])[]) {
    for (const [person, { roomId, token: roomToken }] of both) {
      await person.join(roomId);
      person.say({ type: "media", roomId, roomToken, state: "playing" });
    }
    for (const [person] of both) await vi.waitFor(async () => expect((await person.info()).status).toBe(3), patiently);
  }

  /** Both see each other in their room, then leave it. */
  async function talk(ana: SitePerson, bo: SitePerson) {
    const [forAna, forBo] = [await ana.matched(), await bo.matched()];
    expect([forAna.roomId, forAna.user_Id, forBo.user_Id]).toEqual([forBo.roomId, bo.userId, ana.userId]);
    await seeEachOther([ana, forAna], [bo, forBo]);
    await ana.stop();
    await bo.push(100_002);
    await statuses([ana, 0], [bo, 0]);
    return forAna;
  }

  async function statuses(...expected: readonly (readonly [SitePerson, number])[]): Promise<void> {
    const found = async () =>
      expect(await Promise.all(expected.map(async ([person]) => (await person.info()).status))).toEqual(
        expected.map(([, status]) => status),
      );
    await vi.waitFor(found, patiently);
  }

  const waitsFor = (other: SitePerson) => ({ kind: "meet", userId: other.userId, state: "waiting" });
  const heardOf = async (person: SitePerson, state: "waiting" | "over") => {
    for (;;) {
      const { event } = await person.socket.next("social");
      if (event.kind === "meet" && event.state === state) return event;
    }
  };

  test("matches two users at two servers who both want to meet again, once and free, despite other searches", async () => {
    await using ana = await SitePerson.at(here, "kai");
    await using bo = await SitePerson.at(there, "lea");
    await wantAgain(ana, bo);
    await using cem = await SitePerson.at(there, "moe");
    await cem.start();
    expect((await ana.startWith(bo)).data).toMatchObject({ state: "searching", price: 0 });
    expect(await heardOf(bo, "waiting")).toMatchObject(waitsFor(ana));
    expect((await bo.startWith(ana)).data).toMatchObject({ state: "searching", price: 0 });
    expect(await talk(ana, bo)).toMatchObject({ is_enough: 1, remote: { price: 0 }, media: { role: "offerer" } });
    expect((await cem.info()).status).toBe(1);
    await cem.stop();
    // The call fulfils both users' requests to meet again.
    await vi.waitFor(async () => expect((await bo.startWith(ana)).code).toBe(403), patiently);
    expect((await ana.startWith(bo)).data).toMatchObject({ reason: "not_met" });
    for (const { socket } of [ana, bo]) expect(socket.received.filter(({ type }) => type === "push")).toEqual([]);
  });

  /** The two have had a call, and follow each other. */
  async function befriend(ana: SitePerson, bo: SitePerson): Promise<void> {
    await ana.start();
    await bo.start();
    await talk(ana, bo);
    await vi.waitFor(async () => {
      await ana.follow(bo);
      await bo.follow(ana);
      expect((await ana.friends()).size).toBe(1);
    }, patiently);
  }

  const heardRing = async (person: SitePerson, kind: "ring" | "ring_over") => {
    for (;;) {
      const { event } = await person.socket.next("social");
      if (event.kind === kind) return event;
    }
  };

  test("[RING-5] connects friends at two servers by a ring from either server, at no price", async () => {
    await using ana = await SitePerson.at(here, "ula");
    await using bo = await SitePerson.at(there, "vic");
    await using cem = await SitePerson.at(here, "wim");
    await befriend(ana, bo);
    const rung = async (one: SitePerson, other: SitePerson) => {
      const answer = await one.ring(other);
      expect(answer).toMatchObject({ state: "ringing" });
      const { id } = answer as { id: string };
      expect(await heardRing(other, "ring")).toMatchObject({ id, from: { userId: one.userId } });
      return id;
    };
    // Sends the request to the server without the users.
    for (const place of [there, here]) {
      ana.callThrough(place);
      bo.callThrough(place);
      await bo.start();
      const id = await rung(ana, bo);
      expect((await bo.answerRing(id, 1)).data).toEqual({ state: "connected" });
      expect(await heardRing(bo, "ring_over")).toEqual({ kind: "ring_over", id, why: "elsewhere" });
      const free = { is_enough: 1, remote: { price: 0 }, media: { role: "offerer" } };
      expect(await talk(ana, bo)).toMatchObject(free);
    }
    const declined = await rung(bo, ana);
    expect((await ana.answerRing(declined, 0)).data).toEqual({ state: "declined" });
    expect(await heardRing(bo, "ring_over")).toMatchObject({ id: declined, why: "declined" });
    await rung(bo, ana);
    expect(await ana.ring(bo)).toMatchObject({ state: "connected" });
    await talk(ana, bo);
    // The ring comes during a call; either server may host it.
    for (const [one, other] of [
      [bo, cem],
      [cem, bo],
    ] as const) {
      await one.start();
      await other.start();
      await seeEachOther([bo, await bo.matched()], [cem, await cem.matched()]);
      expect(await ana.ring(bo)).toEqual({ state: "unavailable" });
      await cem.stop();
      await bo.push(100_002);
      await statuses([bo, 0], [cem, 0]);
    }
    await bo.muteRings(ana, 1);
    expect(await ana.ring(bo)).toEqual({ state: "unavailable" });
    expect(await bo.profileOf(ana)).toHaveProperty("ring_muted_until");
    expect(await ana.profileOf(bo)).not.toHaveProperty("ring_muted_until");
  });

  test("continues a wait for one user at another server, and accepts a new one at any", async () => {
    await using ana = await SitePerson.at(here, "nia");
    await using bo = await SitePerson.at(there, "oli");
    await wantAgain(ana, bo);
    await ana.startWith(bo);
    await heardOf(bo, "waiting");
    // The user has not pressed Start on the reloaded page.
    await ana.reopen(there);
    await statuses([ana, 0]);
    await ana.startWith(bo);
    await heardOf(bo, "waiting");
    expect(await ana.goOnAt(here, 0)).toBe(4008);
    await statuses([ana, 1]);
    await bo.startWith(ana);
    await talk(ana, bo);
  });

  test("ends a wait for one user at another server for every reason that ends it at the same one", async () => {
    await using ana = await SitePerson.at(here, "pia");
    await using bo = await SitePerson.at(there, "qui");
    await using cem = await SitePerson.at(there, "rob");
    await using dia = await SitePerson.at(there, "sue");
    await wantAgain(ana, bo);
    const ends = [
      { act: () => ana.stop(), meets: dia },
      { act: () => ana.reopen(here), meets: dia },
      { act: () => ana.start(), meets: ana },
    ];
    for (const { act, meets } of ends) {
      await ana.startWith(bo);
      await heardOf(bo, "waiting");
      await act();
      await bo.startWith(ana);
      // Once this pair is matched, that server has handled all earlier messages.
      if (meets === dia) await dia.start();
      await cem.start();
      expect([(await cem.matched()).user_Id, (await meets.matched()).user_Id]).toEqual([meets.userId, cem.userId]);
      expect((await bo.info()).status).toBe(1);
      await cem.stop();
      await meets.push(100_002);
      await bo.stop();
    }
    await ana.startWith(bo);
    await bo.wantAgain(ana, 0);
    expect(await heardOf(ana, "over")).toMatchObject({ userId: bo.userId });
    await statuses([ana, 0]);
    await bo.wantAgain(ana);
    await ana.startWith(bo);
    await bo.block(ana);
    await statuses([ana, 0]);
    for (const [person, other] of [
      [ana, bo],
      [bo, ana],
    ] as const)
      expect((await person.startWith(other)).code).toBe(403);
  });

  test("moves a search that starts by POST at the old server to the server of the next page", async () => {
    await using ana = await SitePerson.at(here, "ina");
    for (const [before, next] of [
      [here, there],
      [there, here],
      [here, there],
      [there, here],
    ] as const) {
      ana.callThrough(before);
      const [answer] = await Promise.all([ana.start(), ana.beginAnew(next)]);
      expect(answer).toMatchObject({ code: 200, data: { state: "searching" } });
      await statuses([ana, 1]);
      await ana.stop();
      await statuses([ana, 0]);
    }
  });

  test("returns a reloaded page to its call at any server", async () => {
    await using ana = await SitePerson.at(here, "dia");
    await using bo = await SitePerson.at(there, "eli");
    await ana.start();
    await bo.start();
    const [forAna, forBo] = [await ana.matched(), await bo.matched()];
    const { roomId, token } = forAna;
    for (const person of [ana, bo]) await person.join(roomId);
    ana.say({ type: "media", roomId, roomToken: token, state: "playing" });
    bo.say({ type: "media", roomId, roomToken: forBo.token, state: "playing" });
    await vi.waitFor(async () => expect((await ana.info()).status).toBe(3), patiently);
    // The host moves to the other server and back.
    for (const server of [there, here]) {
      await ana.reopen(server);
      await vi.waitFor(async () => expect((await ana.info()).match?.roomId).toBe(roomId), patiently);
      expect((await ana.join(roomId)).code).toBe(200);
      ana.say({ type: "chat", roomId, roomToken: token, clientId: server.url, text: "back" });
      expect(await bo.socket.next("chat")).toMatchObject({ roomId, text: "back" });
    }
    // The guest moves to the host's server.
    await bo.reopen(here);
    await vi.waitFor(async () => expect((await bo.info()).match?.roomId).toBe(roomId), patiently);
    expect((await bo.join(roomId)).code).toBe(200);
    await bo.stop();
    await vi.waitFor(
      async () => expect([(await ana.info()).status, (await bo.info()).status]).toEqual([0, 0]),
      patiently,
    );
  });
});
