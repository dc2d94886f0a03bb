import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { feedback } from "@fava/wire/endpoints/moderation.ts";
import { userUpdate } from "@fava/wire/endpoints/profile.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { blots, paintedJpeg } from "#test/fixtures/frame-pictures.ts";
import { redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { type ServerInProcess, startServer } from "#test/fixtures/site-in-process.ts";
import { SitePerson } from "#test/fixtures/site-person.ts";

describe.runIf(redisIsInstalled)("frames of two servers", () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let here: ServerInProcess;
  let there: ServerInProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    redis = await TestRedis.start();
    here = await startServer({ database, redis, moderation: "marker" });
    there = await startServer({ database, redis, moderation: "marker" });
  });
  afterAll(async () => {
    await here[Symbol.asyncDispose]();
    await there[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  /** Makes the user an established one, whose calls may open clear. The profile change invalidates caches. */
  async function known(person: SitePerson): Promise<void> {
    const { userId } = person;
    const old = { created_at: new Date(Date.now() - 7 * 86_400_000), passed_calls: 10 };
    await database.db.updateTable("users").set(old).where("id", "=", BigInt(userId)).execute();
    expect((await person.request(userUpdate, { user_id: userId, about: "Here for a week" })).code).toBe(200);
  }

  /** Puts two users into a call; the later searcher moves to the server of the first. Each page plays the partner's video. */
  async function inCall(
    names: readonly [string, string],
    [firstAt, secondAt] = [here, there],
  ): Promise<[SitePerson, SitePerson]> {
    const [first, second] = [await SitePerson.at(firstAt, names[0]), await SitePerson.at(secondAt, names[1])];
    for (const person of [first, second]) await person.start();
    for (const person of [first, second]) {
      const { roomId, token: roomToken } = await person.matched();
      await person.join(roomId);
      person.say({ type: "media", roomId, roomToken, state: "playing" });
    }
    return [first, second];
  }

  test("shows each user after a frame of that user, whichever server receives it", async () => {
    const [ana, bo] = await inCall(["ana", "bo"]);
    await using _ana = ana;
    await using _bo = bo;
    for (const [person, other, server] of [
      [bo, ana, there],
      [ana, bo, there],
    ] as const) {
      expect((await other.socket.next("shield")).other).toBe("checking");
      person.callThrough(server);
      const ticket = await person.socket.next("inspect");
      expect(await person.upload(ticket, await blots(1))).toBe(200);
      let shield = await other.socket.next("shield");
      while (shield.other === "checking") shield = await other.socket.next("shield");
      expect(shield.other).toBe("clear");
      // The call opens once, also through the other server.
      expect(await person.upload(ticket, await blots(1))).toBe(400);
    }
  });

  test("opens a call clear by a clean frame of a search at another server, and by one of the previous call", async () => {
    await using eli = await SitePerson.at(here, "eli");
    await using fay = await SitePerson.at(there, "fay");
    await using gus = await SitePerson.at(here, "gus");
    await known(fay);
    await fay.start(0, 1);
    const ticket = await fay.socket.next("inspect");
    expect(ticket.roomId).toBe("");
    fay.callThrough(here);
    expect(await fay.upload(ticket, await blots(2))).toBe(200);
    await fay.stop();

    // The later searcher moves to the first one's server.
    for (const first of [eli, gus]) {
      await first.start();
      await fay.start(0, 1);
      const { roomId, token: roomToken } = await first.matched();
      await fay.matched();
      expect(await first.socket.next("shield")).toMatchObject({ roomId, other: "clear" });
      for (const person of [first, fay]) {
        await person.join(roomId);
        person.say({ type: "media", roomId, roomToken, state: "playing" });
      }
      // The verdict of the previous search is used up.
      let own = await fay.socket.next("inspect");
      while (own.view !== "own" || own.roomId !== roomId) own = await fay.socket.next("inspect");
      expect(await fay.upload(own, await blots(3))).toBe(200);
      await first.stop();
      await fay.push(100_002);
    }
  });

  test.each([
    { way: "moves to", shown: "clear", go: (person: SitePerson) => person.moveTo(here, 0) },
    {
      way: "loses the socket, and comes back at",
      shown: "checking",
      go: (person: SitePerson) => person.goOnAt(here, 0),
    },
  ] as const)(
    "[SOCKET-110] shows the picture of a searching user who $way another server as $shown there",
    async ({ way, shown, go }) => {
      await using stopping = await startServer({ database, redis, moderation: "marker" });
      await using hal = await SitePerson.at(stopping, way);
      await using ida = await SitePerson.at(there, "ida");
      hal.ignoresMoves();
      await known(hal);
      await hal.start(0, 1);
      const ticket = await hal.socket.next("inspect");
      expect(await hal.upload(ticket, await blots(4))).toBe(200);
      const drained = stopping.drain();
      expect(await go(hal)).toBe(4008);
      await drained;
      hal.callThrough(here);
      await ida.start();
      await ida.matched();
      expect((await ida.socket.next("shield")).other).toBe(shown);
      await ida.stop();
      await hal.push(100_002);
    },
  );

  test("attaches the reported user's chat lines and frames to a report that reached another server", async () => {
    await using jon = await SitePerson.at(here, "jon");
    await using kai = await SitePerson.at(there, "kai");
    for (const person of [jon, kai]) await person.start();
    const { roomId, token: roomToken } = await jon.matched();
    await kai.matched();
    for (const person of [jon, kai]) await person.join(roomId);
    const clientId = "the insult";
    jon.say({ type: "chat", roomId, roomToken, clientId, text: "you are boring" });
    await kai.socket.next("chat");
    const ticket = await jon.socket.next("inspect");
    expect(await jon.upload(ticket, await blots(6))).toBe(200);
    const about = { user_id: kai.userId, other_id: jon.userId, id: 5, call_id: roomId, line_id: clientId } as const;
    expect((await kai.request(feedback, about)).code).toBe(200);
    const kinds = database.db
      .selectFrom("evidence")
      .innerJoin("cases", "cases.id", "evidence.case_id")
      .select("kind")
      .where("subject_id", "=", BigInt(jon.userId))
      .orderBy("kind");
    await expect.poll(async () => (await kinds.execute()).map(({ kind }) => kind)).toEqual(["frame", "lines"]);
    await jon.stop();
    await kai.push(100_002);
  });

  test("ends the call and suspends a user of another server for explicit frames", async () => {
    const [cem, dia] = await inCall(["cem", "dia"]);
    await using _cem = cem;
    await using _dia = dia;
    const bad = await paintedJpeg((x, y) => {
      const tile = (Math.floor(x * 40) + Math.floor(y * 30)) % 2 === 0 ? 60 : 200;
      return x < 0.2 && y < 0.2 ? [255, 0, 255] : [tile, tile, tile];
    });
    const answering = (async () => {
      for (;;) {
        const ticket = await dia.socket.next("inspect");
        if (ticket.view === "own") await dia.upload(ticket, bad);
      }
    })().catch((error: Error) => error.message);
    expect(await cem.push(100_002)).toMatchObject({ reason: "cut" });
    // The ban also closes the chat session at the home.
    expect(await answering).toContain("closed");
    const of = database.db.selectFrom("bans").where("user_id", "=", BigInt(dia.userId));
    expect(await of.select("reason_id").execute()).toHaveLength(1);
  });

  test("[SIGN-15] [SAFE-16] accepts a frame by its ticket once while Redis is away", async () => {
    await using ownDatabase = await createTestDatabase();
    await using ownRedis = await TestRedis.start();
    await using server = await startServer({ database: ownDatabase, redis: ownRedis, moderation: "marker" });
    const [jan, kim] = await inCall(["jan", "kim"], [server, server]);
    await using _jan = jan;
    await using _kim = kim;
    const people = [jan, kim];
    await ownRedis.kill();
    for (const person of people) {
      let ticket = await person.socket.next("inspect");
      while (ticket.view !== "own") ticket = await person.socket.next("inspect");
      expect(await person.upload(ticket, await blots(5))).toBe(200);
      expect(await person.upload(ticket, await blots(5))).toBe(400);
    }
    for (const { socket } of people) {
      let shield = await socket.next("shield");
      while (shield.other !== "clear") shield = await socket.next("shield");
    }
  });
});
