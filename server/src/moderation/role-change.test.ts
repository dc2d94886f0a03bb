import { beforeAll, expect, test } from "vitest";
import { sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";
import { grantRole } from "./role-change.ts";

let world: SessionWorld;

beforeAll(async () => {
  world = await sessionWorld();
});

const at = new Date("2026-01-02T03:04:05Z");

test("[ROLE-3] makes an account administrator at an operator's command, and writes the audit log", async () => {
  const { db } = world.database;
  const { user } = await world.login("Ana");
  const userNo = user.user_no;
  expect(await grantRole(db, { userNo, role: "administrator", at })).toEqual({ nickname: "Ana", before: "user" });
  expect((await world.login("Ana")).user.role).toBe(3);
  expect(await grantRole(db, { userNo, role: "moderator", at })).toMatchObject({ before: "administrator" });
  const log = await db
    .selectFrom("audit_log")
    .select(["at", "actor_id", "detail"])
    .where("kind", "=", "role")
    .where("subject_id", "=", user.id)
    .orderBy("id")
    .execute();
  expect(log.map(({ detail, ...row }) => ({ ...row, ...(JSON.parse(detail) as object) }))).toEqual([
    { at, actor_id: null, before: 0, after: 3 },
    { at, actor_id: null, before: 3, after: 2 },
  ]);
});

test("[ROLE-3] gives no role to a deleted account or an unknown number", async () => {
  const { db } = world.database;
  const { user } = await world.login("Bo");
  await db.updateTable("users").set({ deleted_at: at }).where("id", "=", user.id).execute();
  expect(await grantRole(db, { userNo: user.user_no, role: "administrator", at })).toBeNull();
  expect(await grantRole(db, { userNo: "10000000", role: "administrator", at })).toBeNull();
  const { role } = await db.selectFrom("users").select("role").where("id", "=", user.id).executeTakeFirstOrThrow();
  expect(role).toBe(0);
});
