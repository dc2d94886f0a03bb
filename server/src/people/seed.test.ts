import { beforeAll, expect, test } from "vitest";
import { refusalOf, sandboxPeople, sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";

let world: SessionWorld;

beforeAll(async () => {
  world = await sessionWorld();
  await world.seed();
});

const users = () => world.database.db.selectFrom("users").selectAll().orderBy("user_no").execute();

test("creates the users of the sandbox with birthday, gender, country and role", async () => {
  const seeded = await users();
  expect(seeded.map(({ nickname }) => nickname)).toEqual(sandboxPeople.map(({ name }) => name));
  for (const [index, person] of sandboxPeople.entries()) {
    const underAge = person.standing === "under_age";
    expect(seeded[index]).toMatchObject({
      birthday: underAge ? null : person.birthday,
      sex: underAge ? 0 : person.sex,
    });
  }
  const role = (name: string) => seeded.find(({ nickname }) => nickname === name)?.role;
  expect(["Ana", "Mia", "Noor", "Ada"].map(role)).toEqual([0, 2, 2, 3]);
});

test("changes nothing when repeated, also at the same time", async () => {
  const before = await users();
  await Promise.all([world.seed(), world.seed()]);
  await expect(users()).resolves.toEqual(before);
  await expect(world.database.db.selectFrom("bans").selectAll().execute()).resolves.toHaveLength(1);
  await expect(world.database.db.selectFrom("age_refusals").selectAll().execute()).resolves.toHaveLength(3);
});

test("signs in the same user by each of the three buttons", async () => {
  const input = await world.loginInput("ana", "facebook");
  const { user, isNew } = await world.sessions.login(input, { session: null, ip: "", userAgent: "", language: "en" });
  expect(isNew).toBe(false);
  expect(user.nickname).toBe("Ana");
});

test("lets kim sign in under the age rule, rejects rex, and bans rex again after a month", async () => {
  const kim = await world.enter("kim");
  await expect(world.profiles.mine(kim, "en")).resolves.toMatchObject({
    age_try_again: "2028-01-01",
    profile_complete: false,
  });
  world.clock.advance(31 * 86_400_000);
  await expect(world.login("rex")).resolves.toMatchObject({ isNew: false });
  await world.seed();
  expect(await refusalOf(world.login("rex"))).toMatchObject({ code: 408 });
});
