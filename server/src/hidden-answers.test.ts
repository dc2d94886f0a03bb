import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountDel } from "@fava/wire/endpoints/account.ts";
import { matchStart } from "@fava/wire/endpoints/match.ts";
import {
  conversationAnswer,
  conversationList,
  messageList,
  messageRead,
  messageSend,
} from "@fava/wire/endpoints/messages.ts";
import { chatReport, feedback } from "@fava/wire/endpoints/moderation.ts";
import { getUserId, myInfo, userInfo } from "@fava/wire/endpoints/profile.ts";
import { ring, ringMute } from "@fava/wire/endpoints/rings.ts";
import {
  apart,
  apartList,
  block,
  blockList,
  fansList,
  follow,
  followList,
  friendList,
  like,
  likeList,
  meetAgain,
  recentList,
  unblock,
  userSearch,
} from "@fava/wire/endpoints/social.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { type ServerInProcess, startServer } from "#test/fixtures/site-in-process.ts";
import { SitePerson } from "#test/fixtures/site-person.ts";
import { storeCall } from "#test/fixtures/stored-calls.ts";

describe.runIf(redisIsInstalled)("whether another user blocked the caller or deleted the account", () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let server: ServerInProcess;
  let made = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    redis = await TestRedis.start();
    server = await startServer({ database, redis });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  /** Two users with the same names each time; placeholders replace their ids and times in the answers. */
  async function pair() {
    made += 1;
    const [ana, bo] = [await SitePerson.at(server, `ana ${made}`), await SitePerson.at(server, `bo ${made}`)];
    const [mine, theirs] = await Promise.all(
      [ana, bo].map(async (person) => (await person.request(myInfo, { user_id: person.userId })).data),
    );
    const at = new Date(Date.now() - 60_000);
    const people = { offerer_id: BigInt(ana.userId), answerer_id: BigInt(bo.userId) };
    const times = { matched_at: at, connected_at: at, ended_at: at, end_reason: "left" as const };
    const callId = await storeCall(database.db, { ...people, ...times });
    const words = [mine!, theirs!].flatMap((user, side) =>
      [user.externalId, user.user_no, user.nickname, user.avatar, `:${user.id},`, `"${user.id}"`].map(
        (word, at) => [word, `<${side} ${at}>`] as const,
      ),
    );
    const plain = (answer: unknown) =>
      words
        .reduce((text, [word, name]) => text.replaceAll(word, name), JSON.stringify(answer))
        .replaceAll(/"(?:at|time|until)":\d{13}/g, "<time>")
        .replaceAll(/"(?:id|conversationID)":"\d+"/g, "<id>");
    return { ana, bo, theirs: theirs!, callId, plain };
  }
  type Pair = Awaited<ReturnType<typeof pair>>;

  const write = (from: SitePerson, externalId: string, text: string) =>
    from.request(messageSend, { user_id: from.userId, externalId, client_id: `${from.userId} ${text}`, text });

  /** What happened between the two before the end. */
  const histories: Record<string, (pair: Pair) => Promise<string | null>> = {
    "were in a call": async () => null,
    "were in a call, and one liked, followed, and wanted to meet again": async ({ ana, bo }) => {
      await ana.follow(bo);
      await ana.request(like, { userId: ana.userId, likeUserId: bo.userId, on: 1 });
      await ana.wantAgain(bo);
      await bo.wantAgain(ana);
      return null;
    },
    "had a request to write": async ({ ana, bo }) => {
      const { data } = await bo.request(getUserId, { externalId: "nobody" });
      expect(data).not.toBeNull();
      const mine = (await ana.request(myInfo, { user_id: ana.userId })).data.externalId;
      return (await write(bo, mine, "hello")).data.message.id;
    },
    "were friends who wrote to each other": async ({ ana, bo, theirs }) => {
      await ana.follow(bo);
      await bo.follow(ana);
      await write(ana, theirs.externalId, "hello");
      const mine = (await ana.request(myInfo, { user_id: ana.userId })).data.externalId;
      return (await write(bo, mine, "hello")).data.message.id;
    },
    "have met long ago, and one follows": async ({ ana, bo, callId }) => {
      await ana.follow(bo);
      await database.db.deleteFrom("calls").where("id", "=", callId).execute();
      return null;
    },
  };

  /**
   * Every request that names the user, and every list that could contain them; then the same after a block of their
   * own.
   */
  async function answersTo({ ana, bo, theirs, callId }: Pair, messageId: string | null) {
    const { externalId } = theirs;
    const self = { user_id: ana.userId };
    const other = { ...self, other_id: bo.userId };
    const lists = async () => [
      await ana.request(followList, self),
      await ana.request(fansList, self),
      await ana.request(friendList, self),
      await ana.request(likeList, self),
      await ana.request(recentList, self),
      await ana.request(recentList, other),
      await ana.request(apartList, self),
      await ana.request(blockList, self),
      await ana.request(conversationList, self),
      await ana.request(conversationList, { ...self, box: 1 }),
      await ana.request(userSearch, { ...self, text: theirs.user_no }),
      await ana.request(userSearch, { ...self, text: theirs.nickname }),
    ];
    const named = async () => [
      await ana.request(userInfo, { userId: ana.userId, otherId: bo.userId }),
      await ana.request(getUserId, { externalId }),
      await ana.request(messageList, { ...self, externalId }),
      await ana.request(messageRead, { ...self, externalId, up_to: "0" }),
      await ana.request(messageRead, { ...self, externalId, up_to: "999999999999" }),
      await write(ana, externalId, "good morning"),
      await write(ana, externalId, " "),
      await write(ana, externalId, "write to me at ana.example@gmail.com"),
      await ana.request(conversationAnswer, { ...self, externalId, accept: 0 }),
      await ana.request(conversationAnswer, { ...self, externalId, accept: 1 }),
      await ana.request(ring, other),
      await ana.request(ringMute, { ...other, on: 1 }),
      await ana.request(ringMute, { ...other, on: 0 }),
      await ana.request(matchStart, { ...self, sex: 0, country: 0, with_user_id: bo.userId }),
      await ana.request(meetAgain, { ...other, on: 1 }),
      await ana.request(meetAgain, { ...other, on: 0 }),
      await ana.request(apart, { ...other, on: 0 }),
      await ana.request(apart, { ...other, on: 1 }),
      await ana.request(feedback, { ...other, id: 4, call_id: callId }),
      await ana.request(feedback, { ...other, id: 5 }),
      await ana.request(chatReport, { ...other, id: 6, message_id: messageId ?? "1" }),
    ];
    const relations = async () => {
      const answers = [];
      for (const on of [1, 0, undefined] as const) {
        answers.push(await ana.request(follow, { userId: ana.userId, followUserId: bo.userId, on }));
        answers.push(await ana.request(like, { userId: ana.userId, likeUserId: bo.userId, on }));
      }
      return answers;
    };
    return [
      ...(await lists()),
      ...(await named()),
      ...(await relations()),
      await ana.request(block, other),
      ...(await named()),
      ...(await relations()),
      ...(await lists()),
      await ana.request(unblock, other),
      ...(await lists()),
    ];
  }

  test.each(Object.entries(histories))(
    "[PEOPLE-561] gives users who %s the same answers after a block and a deletion",
    async (_words, begin) => {
      const answers = [];
      for (const end of ["block", "deletion"] as const) {
        const two = await pair();
        const messageId = await begin(two);
        const { ana, bo, theirs } = two;
        if (end === "block") await bo.block(ana);
        else await bo.request(accountDel, { user_id: bo.userId, user_no: theirs.user_no });
        answers.push((await answersTo(two, messageId)).map((answer) => two.plain(answer)));
        for (const person of [ana, bo]) await person[Symbol.asyncDispose]();
      }
      expect(answers[1]).toEqual(answers[0]);
    },
    60_000,
  );
});
