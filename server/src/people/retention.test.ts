import { beforeAll, expect, test } from "vitest";
import { sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";
import { deleteExpiredData } from "./retention.ts";
import { touchSession } from "./session-store.ts";

const dayMs = 86_400_000;
let world: SessionWorld;

beforeAll(async () => {
  world = await sessionWorld();
  await world.seed();
});

async function rows() {
  const { db } = world.database;
  const user = await db.selectFrom("users").selectAll().where("nickname", "=", "Ana").executeTakeFirstOrThrow();
  const events = await db.selectFrom("login_events").selectAll().execute();
  const sessions = await db.selectFrom("sessions").selectAll().execute();
  return { user, events, sessions };
}

test("[PRIV-3] deletes sign-in addresses and ended sessions after 90 days, not before", async () => {
  await world.enter("ana", { ip: "203.0.113.7" });
  await world.enter("ana", { ip: "203.0.113.7" });
  const { db } = world.database;
  await deleteExpiredData(db, world.clock.nowMs() + 89 * dayMs);
  expect(await rows()).toMatchObject({ user: { last_login_ip: "203.0.113.7" }, events: [{}, {}], sessions: [{}, {}] });
  await deleteExpiredData(db, world.clock.nowMs() + 91 * dayMs);
  const left = await rows();
  expect(left.user).toMatchObject({ last_login_ip: "", device_id: "" });
  expect(left.events).toEqual([]);
  // The second session expired after 30 days. Its row stays 90 days more, without address and device.
  expect(left.sessions).toMatchObject([{ end_reason: "expired", ip: "", user_agent: "" }]);
  await deleteExpiredData(db, world.clock.nowMs() + 120 * dayMs);
  expect((await rows()).sessions).toHaveLength(1);
  await deleteExpiredData(db, world.clock.nowMs() + 121 * dayMs);
  expect((await rows()).sessions).toEqual([]);
});

test("[PRIV-6] ends an unused session at its own time; keeps one in use", async () => {
  const { db } = world.database;
  const [left, used] = [await world.enter("ana"), await world.enter("bo")];
  const expiresAt = (await rows()).sessions.find(({ id }) => id === left.id)?.expires_at;
  await touchSession(db, used.id, {
    at: new Date(world.clock.nowMs() + 89 * dayMs),
    expiresAt: new Date(world.clock.nowMs() + 119 * dayMs),
  });
  const byId = async () => new Map((await rows()).sessions.map((session) => [session.id, session]));
  await deleteExpiredData(db, (expiresAt?.getTime() ?? 0) - 1);
  expect((await byId()).get(left.id)).toMatchObject({ ended_at: null, ip: "127.0.0.1", user_agent: "test" });
  await deleteExpiredData(db, expiresAt?.getTime() ?? 0);
  expect((await byId()).get(left.id)).toMatchObject({ ended_at: expiresAt, end_reason: "expired" });
  await deleteExpiredData(db, world.clock.nowMs() + 90 * dayMs);
  expect((await byId()).get(used.id)).toMatchObject({ ended_at: null, ip: "127.0.0.1", user_agent: "test" });
  await deleteExpiredData(db, world.clock.nowMs() + 90 * dayMs + 1);
  expect((await byId()).get(used.id)).toMatchObject({ ended_at: null, end_reason: null, ip: "", user_agent: "" });
});

test("[PRIV-4] deletes a refusal for age on the day it ends", async () => {
  const { db } = world.database;
  const refused = () => db.selectFrom("age_refusals").selectAll().execute();
  expect((await refused()).length).toBeGreaterThan(0);
  await deleteExpiredData(db, world.clock.nowMs() + 3 * 365 * dayMs);
  expect(await refused()).toEqual([]);
});

test("deletes an `apart` once it has ended, not before", async () => {
  const { db } = world.database;
  const [one, other] = [await world.enter("ana"), await world.enter("bo")];
  const until = new Date(world.clock.nowMs() + 90 * dayMs);
  await db.insertInto("aparts").values({ user_id: one.userId, other_id: other.userId, until }).execute();
  const left = () => db.selectFrom("aparts").select("until").execute();
  await deleteExpiredData(db, until.getTime() - 1);
  expect(await left()).toEqual([{ until }]);
  await deleteExpiredData(db, until.getTime());
  expect(await left()).toEqual([]);
});

test("deletes reports and senders of pictures after 180 days, not before", async () => {
  const { db } = world.database;
  const [reporter, reported] = [await world.enter("ana"), await world.enter("bo")];
  const at = new Date(world.clock.nowMs());
  const pair = { reporter_id: reporter.userId, reported_id: reported.userId };
  await db
    .insertInto("reports")
    .values({ ...pair, reason_id: 4, call_id: null, message_id: null, at })
    .execute();
  const sent = { sender_id: reporter.userId, subject_id: reported.userId, call_id: "call", case_id: null };
  await db
    .insertInto("sent_views")
    .values({ ...sent, at, was_right: null })
    .execute();
  const left = async () => [
    (await db.selectFrom("reports").select("id").execute()).length,
    (await db.selectFrom("sent_views").select("id").execute()).length,
  ];
  await deleteExpiredData(db, world.clock.nowMs() + 180 * dayMs);
  expect(await left()).toEqual([1, 1]);
  await deleteExpiredData(db, world.clock.nowMs() + 181 * dayMs);
  expect(await left()).toEqual([0, 0]);
});

test("[TEXT-744] deletes findings in texts after 30 days, not before", async () => {
  const { db } = world.database;
  const { userId: writer_id } = await world.enter("ana");
  const at = new Date(world.clock.nowMs());
  await db
    .insertInto("text_findings")
    .values({ writer_id, place: "about", kind: "email", rule_id: "contact:email", at })
    .execute();
  const left = async () => (await db.selectFrom("text_findings").select("id").execute()).length;
  await deleteExpiredData(db, at.getTime() + 30 * dayMs);
  expect(await left()).toBe(1);
  await deleteExpiredData(db, at.getTime() + 30 * dayMs + 1);
  expect(await left()).toBe(0);
});

test("keeps an old report while its case waits for a moderator", async () => {
  const { db } = world.database;
  const [reporter, reported] = [await world.enter("ana"), await world.enter("bo")];
  const at = new Date(world.clock.nowMs());
  const { id: case_id } = await db
    .insertInto("cases")
    .values({
      subject_id: reported.userId,
      queue: "reports",
      reason_id: 4,
      rule: "report",
      harm: 1,
      opened_at: at,
      changed_at: at,
      call_id: null,
      message_id: null,
      decided_by: null,
      operation: null,
      asked_reason_id: null,
      explicit: null,
      model: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("reports")
    .values({
      reporter_id: reporter.userId,
      reported_id: reported.userId,
      reason_id: 4,
      call_id: null,
      message_id: null,
      at,
      case_id,
    })
    .execute();
  const left = () => db.selectFrom("reports").select("id").where("case_id", "=", case_id).execute();
  await deleteExpiredData(db, world.clock.nowMs() + 181 * dayMs);
  expect(await left()).toHaveLength(1);
  await db.updateTable("cases").set({ state: "decided" }).where("id", "=", case_id).execute();
  await deleteExpiredData(db, world.clock.nowMs() + 181 * dayMs);
  expect(await left()).toEqual([]);
});
