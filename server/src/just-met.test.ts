import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageSend } from "@fava/wire/endpoints/messages.ts";
import { feedback } from "@fava/wire/endpoints/moderation.ts";
import { getUserId, userInfo } from "@fava/wire/endpoints/profile.ts";
import { apart, block, follow, like, meetAgain, recentList } from "@fava/wire/endpoints/social.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { type ServerInProcess, startServer } from "#test/fixtures/site-in-process.ts";
import { SitePerson } from "#test/fixtures/site-person.ts";

describe.runIf(redisIsInstalled)("two users who have just been matched, while calls cannot be stored", () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let here: ServerInProcess;
  let there: ServerInProcess;
  let made = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    redis = await TestRedis.start();
    here = await startServer({ database, redis });
    there = await startServer({ database, redis });
  });
  afterAll(async () => {
    await here[Symbol.asyncDispose]();
    await there[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  /** Runs the steps while the table of calls can be read but not written. */
  async function whileNothingIsStored(steps: () => Promise<void>): Promise<void> {
    await database.db.transaction().execute(async (trx) => {
      await sql`lock table calls in exclusive mode`.execute(trx);
      // Calls of the previous test may have been stored since.
      const stored = async () => (await sql`select id from calls order by id`.execute(trx)).rows;
      const before = await stored();
      await steps();
      expect(await stored()).toEqual(before);
    });
  }

  /** Two users who get a match push about each other, each with page and requests at the given server. */
  async function matchedPair(anaAt: ServerInProcess, boAt: ServerInProcess) {
    made += 1;
    const ana = await SitePerson.at(anaAt, `ana ${made}`);
    const bo = await SitePerson.at(boAt, `bo ${made}`);
    await ana.start();
    await bo.start();
    const [forAna, forBo] = [await ana.matched(), await bo.matched()];
    return { ana, bo, forAna, forBo };
  }

  async function seeEachOther(sides: readonly (readonly [SitePerson, MatchedPush])[]): Promise<void> {
    for (const [person, { roomId, token: roomToken }] of sides) {
      await person.join(roomId);
      person.say({ type: "media", roomId, roomToken, state: "playing" });
    }
    for (const [person] of sides) await expect.poll(async () => (await person.info()).status).toBe(3);
  }

  const ways = [
    ["one server", () => [here, here, here]],
    ["the server of the partner's page", () => [here, there, there]],
    ["the other server than the one of the own page", () => [here, there, here]],
    ["a server where neither has a page", () => [here, here, there]],
  ] as const;

  test.each(ways)("count as met at once, asked at %s", async (_way, places) => {
    const [anaAt, boAt, asked] = places();
    await whileNothingIsStored(async () => {
      const { ana, bo, forAna } = await matchedPair(anaAt!, boAt!);
      for (const person of [ana, bo]) person.callThrough(asked!);
      const pair = { user_id: ana.userId, other_id: bo.userId };
      const answers = [
        await ana.request(userInfo, { userId: ana.userId, otherId: bo.userId }),
        await ana.request(getUserId, { externalId: forAna.externalId }),
        await bo.request(userInfo, { userId: bo.userId, otherId: ana.userId }),
        await ana.request(follow, { userId: ana.userId, followUserId: bo.userId, on: 1 }),
        await ana.request(like, { userId: ana.userId, likeUserId: bo.userId, on: 1 }),
        await ana.request(feedback, { ...pair, id: 4, call_id: forAna.roomId }),
        await ana.request(block, pair),
        await ana.request(feedback, { ...pair, id: 5 }),
        await bo.request(feedback, { user_id: bo.userId, other_id: ana.userId, id: 5 }),
      ];
      expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 200));
      for (const person of [ana, bo]) await person[Symbol.asyncDispose]();
    });
  });

  test("may write, meet again, stay apart and see each other in Recent once the video has started, and not before", async () => {
    await whileNothingIsStored(async () => {
      const { ana, bo, forAna, forBo } = await matchedPair(here, there);
      const pair = { user_id: ana.userId, other_id: bo.userId };
      const steps = async () => [
        (await ana.request(userInfo, { userId: ana.userId, otherId: bo.userId })).data.can_message,
        (await ana.request(meetAgain, { ...pair, on: 1 })).code,
        (await ana.request(apart, { ...pair, on: 1 })).code,
        (await ana.request(messageSend, message)).code,
        (await ana.request(recentList, { user_id: ana.userId })).data.rows.length,
      ];
      const message = {
        user_id: ana.userId,
        externalId: forAna.externalId,
        client_id: "just-met",
        text: "hello there",
      };
      expect(await steps()).toEqual(["no", 403, 403, 406, 0]);
      await seeEachOther([
        [ana, forAna],
        [bo, forBo],
      ]);
      expect((await steps()).slice(0, 4)).toEqual(["request", 200, 200, 200]);
      const rows = [];
      for (const person of [ana, bo])
        rows.push(...(await person.request(recentList, { user_id: person.userId })).data.rows);
      // Only the room's server has the call in the list of its own user.
      expect(rows).toHaveLength(1);
      for (const person of [ana, bo]) await person[Symbol.asyncDispose]();
    });
  });
});
