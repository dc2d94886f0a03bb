import { beforeAll, expect, test } from "vitest";
import { weekMs } from "@fava/wire/limits.ts";
import { contextOf, SocialWorld } from "#test/fixtures/social-world.ts";

let world: SocialWorld;
beforeAll(async () => {
  world = await SocialWorld.open();
});

const week = (userId: bigint, asked = userId) => world.handlers.myWeek(contextOf(userId), { user_id: Number(asked) });

test("counts the people, countries and time of connected calls of the last 7 days, for their user only", async () => {
  const ana = await world.person();
  const bo = await world.person({ country_id: 18 });
  const cem = await world.person({ country_id: 19 });
  expect(await week(ana)).toEqual({ people: 0, countries: 0, seconds: 0 });
  await world.call(ana, bo, { agoMs: weekMs - 1_000, seconds: 60 });
  await world.call(bo, ana, { agoMs: 3_600_000, seconds: 30 });
  await world.call(cem, ana, { agoMs: 7_000, seconds: null });
  await world.call(ana, cem, { live: false });
  await world.call(ana, await world.person(), { agoMs: weekMs + 1_000, seconds: 500 });
  await world.call(bo, cem, { seconds: 900 });
  expect(await week(ana)).toEqual({ people: 2, countries: 2, seconds: 97 });
  expect(await week(bo)).toEqual({ people: 2, countries: 2, seconds: 990 });
  await expect(week(ana, bo)).rejects.toMatchObject({ code: 400 });
});
