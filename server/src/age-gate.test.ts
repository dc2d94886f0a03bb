import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { accountInfo, userExport } from "@fava/wire/endpoints/account.ts";
import { ageBegin, ageInfo } from "@fava/wire/endpoints/age.ts";
import { beanWallet } from "@fava/wire/endpoints/beans.ts";
import { matchSubscription } from "@fava/wire/endpoints/match-subscription.ts";
import { messageSend } from "@fava/wire/endpoints/messages.ts";
import { myInfo, userUpdate } from "@fava/wire/endpoints/profile.ts";
import { ring } from "@fava/wire/endpoints/rings.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { type ServerInProcess, startServer } from "#test/fixtures/site-in-process.ts";
import { SitePerson } from "#test/fixtures/site-person.ts";
import { storeCall } from "#test/fixtures/stored-calls.ts";

const refused = { reason: "age_check", why: "country", state: "none", retry_at: null };

describe.runIf(redisIsInstalled)("a user without an age check, in a country that needs one", () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let here: ServerInProcess;
  let there: ServerInProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    redis = await TestRedis.start();
    // Loopback addresses are of the default country, the United States.
    here = await startServer({ database, redis, agePolicy: "US:checked" });
    there = await startServer({ database, redis, agePolicy: "US:checked" });
  });
  afterAll(async () => {
    await here[Symbol.asyncDispose]();
    await there[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  /** Passes a check at the sandbox of the server that has the person's requests. */
  async function pass(person: SitePerson, { url: origin }: ServerInProcess): Promise<void> {
    const { data } = await person.request(ageBegin, { user_id: person.userId });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(origin + data.url, { method: "POST", headers, body: `{"outcome":"pass"}` });
    expect(answer.status).toBe(200);
    expect((await person.request(ageInfo, { user_id: person.userId })).data).toMatchObject({ state: "passed" });
  }

  async function befriend(one: SitePerson, other: SitePerson): Promise<void> {
    const follow = "insert into follows (user_id, other_id, at) values ($1, $2, now()), ($2, $1, now())";
    await database.pool.query(follow, [one.userId, other.userId]);
  }

  async function meet(one: SitePerson, other: SitePerson): Promise<void> {
    const at = new Date(Date.now() - 60_000);
    const people = { offerer_id: BigInt(one.userId), answerer_id: BigInt(other.userId) };
    await storeCall(database.db, { ...people, matched_at: at, connected_at: at, ended_at: at, end_reason: "left" });
  }

  const matches = ({ socket }: SitePerson) =>
    socket.received.filter((message) => message.type === "push" && message.push.code === pushCodes.matched);

  test("[AGE-29] is matched by no endpoint, at no server, until a pass", async () => {
    await using ana = await SitePerson.at(here, "ana");
    await using bo = await SitePerson.at(there, "bo");
    await pass(bo, there);
    await meet(ana, bo);
    const externalId = async (person: SitePerson) =>
      (await person.request(myInfo, { user_id: person.userId })).data.externalId;
    expect(await bo.start()).toMatchObject({ code: codes.ok, data: { state: "searching" } });
    const write = async (text: string) =>
      ana.request(messageSend, { user_id: ana.userId, externalId: await externalId(bo), client_id: text, text });

    expect(await ana.start()).toMatchObject({ code: codes.forbidden, data: refused });
    expect(await ana.join("room-of-nobody")).toMatchObject({ code: codes.forbidden });
    expect(await write("hello stranger")).toMatchObject({ code: codes.forbidden, data: refused });
    for (const person of [ana, bo]) await person.wantAgain(person === ana ? bo : ana);
    expect(await bo.startWith(ana)).toMatchObject({ code: codes.forbidden });
    expect(await ana.startWith(bo)).toMatchObject({ code: codes.forbidden, data: refused });
    await befriend(ana, bo);
    const rings = { user_id: ana.userId, other_id: bo.userId };
    expect(await ana.request(ring, rings)).toMatchObject({ code: codes.forbidden, data: refused });
    expect(await bo.ring(ana)).toMatchObject({ state: "unavailable" });
    expect(await write("hello friend")).toMatchObject({ code: codes.ok });
    await ana.request(matchSubscription, { user_id: ana.userId, on: 1, sex: 0, country: 0 });
    await ana.reopen(there);
    expect(await ana.start()).toMatchObject({ code: codes.forbidden, data: refused });
    expect(matches(ana)).toEqual([]);

    await bo.start();
    await pass(ana, there);
    expect(await ana.start()).toMatchObject({ code: codes.ok });
    expect(await ana.matched()).toMatchObject({ user_Id: bo.userId });
  });

  test("keeps profile, beans, export and account", async () => {
    await using ana = await SitePerson.at(here, "ana 2");
    const self = { user_id: ana.userId };
    const answers = [
      await ana.request(myInfo, self),
      await ana.request(userUpdate, { ...self, about: "Tea and chess" }),
      await ana.request(beanWallet, self),
      await ana.request(userExport, { ...self, begin: 1 }),
      await ana.request(accountInfo, self),
      await ana.request(ageInfo, self),
    ];
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => codes.ok));
  });

  test("changes nothing by notifications from outside", async () => {
    await using ana = await SitePerson.at(here, "ana 3");
    const { data } = await ana.request(ageBegin, { user_id: ana.userId });
    const ref = data.url.slice(data.url.lastIndexOf("/") + 1);
    const send = (vendor: string, body: string) =>
      fetch(`${here.url}/age/webhook/${vendor}`, { method: "POST", body }).then(({ status }) => status);
    const sent = [
      await send("sandbox", JSON.stringify({ ref, state: "passed" })),
      await send("sandbox", "{"),
      await send("yoti", JSON.stringify({ session_key: ref, state: "COMPLETE", result: true })),
      await send("nobody", ""),
    ];
    expect(sent).toEqual([200, 200, 200, 200]);
    expect(await send("sandbox", "x".repeat(70_000))).toBe(413);
    expect(await ana.start()).toMatchObject({ code: codes.forbidden, data: { ...refused, state: "pending" } });
  });
});
