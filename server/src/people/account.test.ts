import { beforeAll, expect, test } from "vitest";
import { type AccountWorld, accountWorld } from "#test/fixtures/account-world.ts";
import { callContext, refusalOf } from "#test/fixtures/session-world.ts";

const dayMs = 86_400_000;
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
let world: AccountWorld;

beforeAll(async () => {
  world = await accountWorld();
});

async function deleted(name: string) {
  const person = await world.person(name);
  const { user_no } = await world.userRow(person.userId);
  await world.handlers.accountDel(person, { user_id: Number(person.userId), user_no });
  const refusal = await refusalOf(world.login(name));
  return { person, data: refusal.data as { reason: string; until: number; restore_token: string } };
}

const restore = (restore_token: string) =>
  world.handlers.accountRestore(callContext(), { restore_token, source: 1, imei: "device-1" });
const infoOf = (person: Awaited<ReturnType<AccountWorld["person"]>>) =>
  world.handlers.accountInfo(person, { user_id: Number(person.userId) });

test("lists the sign-ins of 90 days, newest first, with browser, system and country", async () => {
  await world.person("Ina", { ip: "203.0.113.7", userAgent: firefox });
  world.clock.advance(1_000);
  const person = await world.person("Ina", { language: "tr" });
  const { sessions } = await infoOf(person);
  const at = world.clock.nowMs();
  expect(sessions).toEqual([
    {
      current: 1,
      source: 1,
      login_type: 1,
      browser: "",
      system: "",
      country_name: "",
      at,
      ended_at: null,
      end_reason: null,
    },
    {
      current: 0,
      source: 1,
      login_type: 1,
      browser: "Firefox",
      system: "Linux",
      country_name: "Türkiye",
      at: at - 1_000,
      ended_at: at,
      end_reason: "kicked",
    },
  ]);
  world.clock.advance(91 * dayMs);
  const later = await world.person("Ina");
  expect((await infoOf(later)).sessions).toHaveLength(1);
});

test("ends every session, including this one, as a sign-out", async () => {
  const person = await world.person("Olga");
  await world.handlers.logoutAll(person, { user_id: Number(person.userId) });
  expect(world.ended.at(-1)).toMatchObject({ userId: person.userId, reason: "signed_out" });
  world.clock.advance(1);
  const again = await world.person("Olga");
  expect((await infoOf(again)).sessions.map(({ end_reason }) => end_reason)).toEqual([null, "signed_out"]);
});

test("[DATA-3] deletes nothing for another account number; accepts other digits and spaces in the number", async () => {
  const person = await world.person("Nora");
  const { user_no } = await world.userRow(person.userId);
  const del = (number: string) =>
    world.handlers.accountDel(person, { user_id: Number(person.userId), user_no: number });
  expect(await refusalOf(del("12345678"))).toEqual({ code: 406, data: { reason: "wrong_number" } });
  expect((await world.userRow(person.userId)).deleted_at).toBe(null);
  const arabic = user_no.replaceAll(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[Number(digit)] ?? "");
  const { until } = await del(`${arabic.slice(0, 4)} ${arabic.slice(4)}`);
  expect(until).toBe(world.clock.nowMs() + 14 * dayMs);
  expect((await world.userRow(person.userId)).deleted_at?.getTime()).toBe(world.clock.nowMs());
});

test("[DATA-4] ends search, call and session at once on deletion, and notifies other users", async () => {
  const [person, friend] = [await world.person("Lea"), await world.person("Max")];
  await world.met(person.userId, friend.userId);
  await world.social.follow(friend.userId, person.userId, true);
  world.bus.arrive(friend.userId);
  world.bus.take(friend.userId);
  const { user_no, external_id } = await world.userRow(person.userId);
  const { token } = await world.login("Lea");
  await world.handlers.accountDel(person, { user_id: Number(person.userId), user_no });
  expect(world.stopped).toContain(person.userId);
  expect(world.ended.at(-1)).toMatchObject({ userId: person.userId, reason: "deleted" });
  expect(await world.sessions.authenticate(token)).toMatchObject({ kind: "ended", reason: "deleted" });
  expect(world.bus.take(friend.userId)).toMatchObject([
    { type: "social", event: { kind: "hidden", externalId: external_id } },
  ]);
  expect(await world.social.isKnown(friend.userId, person.userId)).toBe(false);
});

test("[DATA-6] tells a sign-in within 14 days until when the account can be restored, and restores everything", async () => {
  const { person, data } = await deleted("Ria");
  expect(data).toMatchObject({ reason: "account_deleted", until: world.clock.nowMs() + 14 * dayMs });
  expect(world.ended.at(-1)).toMatchObject({ reason: "deleted" });
  const answer = await restore(data.restore_token);
  expect(answer).toMatchObject({ user_id: Number(person.userId), nickname: "Ria", is_register: 0 });
  expect(await world.sessions.authenticate(answer.token)).toMatchObject({ kind: "live" });
  expect((await world.login("Ria")).user).toMatchObject({ id: person.userId, deleted_at: null });
});

test("accepts a restore token once, for ten minutes, for its own deletion and only from this site", async () => {
  const refused = { code: 400, data: { field: "restore_token" } };
  const first = (await deleted("Uma")).data.restore_token;
  for (const wrong of [
    "invented",
    `9${first}`,
    first.replace(/[\w-](?=[\w-]{42}$)/, (sign) => (sign === "A" ? "B" : "A")),
  ]) {
    expect(await refusalOf(restore(wrong))).toEqual(refused);
  }
  await restore(first);
  expect(await refusalOf(restore(first))).toEqual(refused);
  world.clock.advance(1);
  const second = (await deleted("Uma")).data.restore_token;
  expect(await refusalOf(restore(first))).toEqual(refused);
  world.clock.advance(600_000);
  expect(await refusalOf(restore(second))).toEqual(refused);
});

test("restores an account once when two requests use one token at the same time", async () => {
  const { data } = await deleted("Pia");
  const outcomes = await Promise.allSettled([restore(data.restore_token), restore(data.restore_token)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("[DATA-6] does not let a banned user evade the ban by restoring the account", async () => {
  const { person, data } = await deleted("Bea");
  await world.db
    .insertInto("bans")
    .values({ user_id: person.userId, reason_id: 2, reason: "", until: new Date(world.clock.nowMs() + dayMs) })
    .execute();
  expect((await refusalOf(restore(data.restore_token))).code).toBe(408);
  expect((await refusalOf(world.login("Bea"))).code).toBe(408);
  expect((await world.userRow(person.userId)).deleted_at).not.toBe(null);
});

test("[DATA-4] leaves no live session after a sign-in at the moment of the deletion", async () => {
  const person = await world.person("Eva");
  const { user_no } = await world.userRow(person.userId);
  await Promise.allSettled([
    world.handlers.accountDel(person, { user_id: Number(person.userId), user_no }),
    world.login("Eva"),
    world.handlers.accountDel(person, { user_id: Number(person.userId), user_no }),
  ]);
  const live = await world.db
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", person.userId)
    .where("ended_at", "is", null)
    .execute();
  expect(live).toEqual([]);
});
