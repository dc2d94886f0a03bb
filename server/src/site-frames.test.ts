import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { blots, paintedJpeg } from "#test/fixtures/frame-pictures.ts";
import { redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { type ServerInProcess, startServer } from "#test/fixtures/site-in-process.ts";
import { SitePerson } from "#test/fixtures/site-person.ts";

describe.runIf(redisIsInstalled)("pictures of two servers", () => {
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

  /** Each in a call with the other: the host's own person first, then the guest; each of their pages plays the other's picture. */
  async function inCall(names: readonly [string, string]): Promise<[SitePerson, SitePerson]> {
    const [host, guest] = [await SitePerson.at(here, names[0]), await SitePerson.at(there, names[1])];
    for (const person of [host, guest]) await person.start();
    for (const person of [host, guest]) {
      const { roomId, token: roomToken } = await person.matched();
      await person.join(roomId);
      person.say({ type: "media", roomId, roomToken, state: "playing" });
    }
    return [host, guest];
  }

  test("[SAFE-312] pictures of host and guest clear them, whichever server they are sent to", async () => {
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
      // It opens once, also over the other server.
      expect(await person.upload(ticket, await blots(1))).toBe(400);
    }
  });

  test("[SAFE-312] a guest's bad pictures end the call and suspend, as at one server", async () => {
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
    // Banned: the chat session of the home is closed, too.
    expect(await answering).toContain("closed");
    const of = database.db.selectFrom("bans").where("user_id", "=", BigInt(dia.userId));
    expect(await of.select("reason_id").execute()).toHaveLength(1);
  });
});
