import type { Push } from "@fava/wire/pushes.ts";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type BeanWorld, beanWorld } from "#testing/bean-world.ts";
import { expectSoundLedger } from "#testing/check-ledger.ts";
import { buildBeans } from "./build-beans.ts";

let world: BeanWorld;

beforeAll(async () => {
  world = await beanWorld();
});

afterEach(() => expectSoundLedger(world.database.db));

test("[BEANS-115] whoever's beans changed is told by push 100_003, until the app is closed", async () => {
  const ana = await world.person();
  const beans = buildBeans({ db: world.database.db, clock: world.clock });
  const pushes: [bigint, Push][] = [];
  const { user_no: userNo } = await world.database.db
    .selectFrom("users")
    .select("user_no")
    .where("id", "=", ana)
    .executeTakeFirstOrThrow();
  {
    using _telling = beans.tellBrowsers({ push: (userId, push) => pushes.push([userId, push]) > 0 });
    expect(await beans.giveBeans(userNo, 700n)).toBe(true);
    expect(await beans.giveBeans("99999999", 700n)).toBe(false);
  }
  expect(await beans.giveBeans(userNo, 1n)).toBe(true);
  expect(pushes).toEqual([[ana, { code: 100_003 }]]);
  expect(await beans.ledger.of(ana)).toBe(701n);
});
