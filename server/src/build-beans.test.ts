import { afterEach, beforeAll, expect, test } from "vitest";
import { type BeanWorld, beanWorld } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { HubWorld } from "#test/fixtures/hub-world.ts";
import { buildBeans } from "./build-services.ts";

let world: BeanWorld;

beforeAll(async () => {
  world = await beanWorld();
});

afterEach(() => expectSoundLedger(world.database.db));

test("[PUSH-64] [BEANS-115] whoever's beans changed is told by pushes 100_003 and 100_007, until the app is closed", async () => {
  const ana = await world.person();
  await using sockets = await HubWorld.start({ socketsMax: 2 });
  sockets.people.set("ana", ana);
  const client = await sockets.signedIn("ana");
  const beans = buildBeans({ db: world.database.db, clock: world.clock });
  const { user_no: userNo } = await world.database.db
    .selectFrom("users")
    .select("user_no")
    .where("id", "=", ana)
    .executeTakeFirstOrThrow();
  {
    using _telling = beans.tellBrowsers(sockets.hub);
    expect(await beans.giveBeans(userNo, 700n)).toBe(true);
    expect(await beans.giveBeans("99999999", 700n)).toBe(false);
  }
  expect(await beans.giveBeans(userNo, 1n)).toBe(true);
  await client.settled();
  expect(client.received.flatMap((frame) => (frame.type === "push" ? [frame.push] : []))).toEqual([
    { code: 100_003 },
    { code: 100_007 },
  ]);
  expect(await beans.ledger.of(ana)).toBe(701n);
});
