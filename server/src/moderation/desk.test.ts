import { beforeAll, expect, test } from "vitest";
import { mirroredHash } from "@fava/wire/picture-hash.ts";
import { noReplica } from "#test/fakes/no-replica.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { callContext, refusalOf } from "#test/fixtures/session-world.ts";
import { deskHandlers } from "./desk-routes.ts";
import { DeskService } from "./desk-service.ts";

const dayMs = 86_400_000;
let world: ModerationWorld;
let desk: DeskService;
let handlers: ReturnType<typeof deskHandlers>;
let refreshed: bigint[];
let removed: string[];
let changed: bigint[];

beforeAll(async () => {
  world = await ModerationWorld.open();
  refreshed = [];
  removed = [];
  changed = [];
  desk = new DeskService({
    db: world.db,
    clock: world.clock,
    images: {
      removeAvatar: async (userId) => void removed.push(`${userId}:avatar`),
      remove: async (userId, id) => void removed.push(`${userId}:${id}`),
      removeAll: async (userId) => void removed.push(`${userId}:all`),
      barUploads: async (userId, { publicId = "all" }) => void removed.push(`bar ${userId}:${publicId}`),
    },
    profileChanged: (userId) => void changed.push(userId),
    refreshSession: (userId) => void refreshed.push(userId),
    moderation: world.moderation,
    profiles: { liftAgeRefusal: async () => undefined },
  });
  handlers = deskHandlers(desk, { ...deskParts(), replica: noReplica });
});

const deskParts = () => {
  const { db, clock } = world;
  return { db, jobs: db, clock, caseSearch: world.cases.caseSearch };
};
const at = (agoMs = 0) => new Date(world.clock.nowMs() - agoMs);
async function input(moderatorId: bigint, otherId: bigint) {
  return [await world.contextOf(moderatorId), { user_id: Number(moderatorId), other_id: Number(otherId) }] as const;
}
async function panelOf(moderatorId: bigint, personId: bigint) {
  const [context, named] = await input(moderatorId, personId);
  return handlers.adminPerson(context, named);
}
async function signIn(userId: bigint, from: { ip: string; device?: string }): Promise<void> {
  const row = { user_id: userId, ip: from.ip, device_id: from.device ?? "", user_agent: "", at: at() };
  await world.db.insertInto("login_events").values(row).execute();
}

test("shows strikes in force, the ladder's next step, the ban and earlier decisions, and no address", async () => {
  const moderator = await world.moderator("Vera");
  const bo = await world.person({ nickname: "Bo" });
  await signIn(bo, { ip: "203.0.113.5", device: "secret-device" });
  const strike = { user_id: bo, case_id: null, ban_id: null, reason_id: 2, at: at(dayMs) };
  await world.db
    .insertInto("strikes")
    .values([
      { ...strike, expires_at: at(-dayMs) },
      { ...strike, expires_at: at(1) },
      { ...strike, expires_at: at(-dayMs), revoked_at: at() },
    ])
    .execute();
  await world.db
    .insertInto("bans")
    .values({ user_id: bo, reason_id: 2, reason: "", created_at: at(dayMs), until: at(-dayMs), decided_by: moderator })
    .execute();
  const [context, named] = await input(moderator, bo);
  await handlers.adminNote(context, { ...named, text: "watch this one" });
  const panel = await panelOf(moderator, bo);
  expect(panel).toMatchObject({
    nickname: "Bo",
    age: 26,
    country_name: "United States",
    strikes: [{ reason_id: 2 }],
    next_hours: 168,
    ban: { reason_id: 2, is_provisional: false, until: at(-dayMs).getTime() },
    earlier: [{ kind: "note", by: "Vera", note: "watch this one" }],
    skipped_share: null,
  });
  expect(JSON.stringify(panel)).not.toMatch(/203\.0\.113|secret-device/);
});

test("[CASE-48] shows earlier entries of a restricted case only to administrators", async () => {
  const [moderator, admin] = [await world.moderator(), await world.administrator()];
  const bo = await world.person();
  await world.reported(bo, { reasonId: 8 });
  await world.reported(bo);
  const earlier = async (by: bigint) => (await panelOf(by, bo)).earlier.map(({ kind, reason_id }) => [kind, reason_id]);
  expect(await earlier(moderator)).toEqual([["report", 4]]);
  expect(await earlier(admin)).toEqual(
    expect.arrayContaining([
      ["report", 4],
      ["report", 8],
    ]),
  );
});

test("shows the share of calls that partners left at once, from ten calls on", async () => {
  const [moderator, bo, other] = [await world.moderator(), await world.person(), await world.person()];
  for (let call = 0; call < 10; call += 1) {
    const id = await world.call(bo, other);
    const left = call < 4;
    if (!left) continue;
    await world.db
      .updateTable("calls")
      .set({ ended_at: at(55_000) })
      .where("id", "=", id)
      .execute();
    const leaver = call < 3 ? other : bo;
    await world.db
      .insertInto("call_events")
      .values({ call_id: id, user_id: leaver, kind: "ended", at: at(55_000) })
      .execute();
  }
  expect(await panelOf(moderator, bo)).toMatchObject({ calls_7d: 10, skipped_share: 0.3 });
});

test("shows accounts of the same device, or of an address of few accounts, until a moderator calls them unrelated", async () => {
  const moderator = await world.moderator();
  const [bo, twin, neighbour] = [await world.person(), await world.person(), await world.person()];
  await signIn(bo, { ip: "198.51.100.1", device: "d1" });
  await signIn(twin, { ip: "198.51.100.2", device: "d1" });
  await signIn(neighbour, { ip: "198.51.100.1", device: "d2" });
  const linked = async () => (await panelOf(moderator, bo)).same.map(({ user_id, what }) => [BigInt(user_id), what]);
  expect(new Set(await linked())).toEqual(
    new Set([
      [twin, "device"],
      [neighbour, "address"],
    ]),
  );
  const [context, named] = await input(moderator, bo);
  const operate = (linkedId: bigint, operation: 1 | 2) =>
    handlers.adminSameIpOperate(context, { ...named, linked_id: Number(linkedId), operation });
  await operate(neighbour, 1);
  expect(await linked()).toEqual([[twin, "device"]]);
  await operate(twin, 2);
  const [row] = (await panelOf(moderator, bo)).same;
  expect(await world.caseRow(BigInt(row?.open_case ?? 0))).toMatchObject({ subject_id: twin, rule: "cluster" });
  expect(await world.bansOf(twin)).toEqual([]);
  expect(await refusalOf(operate(await world.person(), 2))).toEqual({ code: 400, data: { field: "linked_id" } });
});

test("shows accounts of the same device before those of the same address, and no moderators", async () => {
  const moderator = await world.moderator();
  const [bo, neighbour, twin] = [await world.person(), await world.person(), await world.person()];
  await signIn(bo, { ip: "198.51.100.20", device: "d20" });
  await signIn(twin, { ip: "198.51.100.21", device: "d20" });
  world.clock.advance(60_000);
  await signIn(neighbour, { ip: "198.51.100.20", device: "d21" });
  await signIn(moderator, { ip: "198.51.100.20", device: "d20" });
  expect((await panelOf(moderator, bo)).same.map(({ user_id }) => BigInt(user_id))).toEqual([twin, neighbour]);
});

test("does not link accounts by an address of many accounts", async () => {
  const [moderator, bo] = [await world.moderator(), await world.person()];
  await signIn(bo, { ip: "192.0.2.9" });
  for (let neighbour = 0; neighbour < 20; neighbour += 1) await signIn(await world.person(), { ip: "192.0.2.9" });
  expect((await panelOf(moderator, bo)).same).toEqual([]);
});

test("finds users by number, with and without spaces, and by the beginning of the nickname", async () => {
  const moderator = await world.moderator();
  const bo = await world.person({ nickname: "Zz%Top" });
  const { user_no } = await world.db
    .selectFrom("users")
    .select("user_no")
    .where("id", "=", bo)
    .executeTakeFirstOrThrow();
  const context = await world.contextOf(moderator);
  const find = async (text: string) =>
    (await handlers.adminFind(context, { user_id: Number(moderator), text, of: "names" })).people.map(
      ({ user_id }) => user_id,
    );
  for (const text of [user_no, `${user_no.slice(0, 4)} ${user_no.slice(4)}`, "zz%t"]) {
    expect(await find(text)).toEqual([Number(bo)]);
  }
  expect(await find("zz_t")).toEqual([]);
});

test("sets and removes a label once, and logs who did it", async () => {
  const [moderator, bo] = [await world.moderator(), await world.person()];
  const [context, named] = await input(moderator, bo);
  const label = (label_id: 1 | 2, on: 0 | 1) => handlers.adminLabeling(context, { ...named, label_id, on });
  await label(2, 1);
  expect(await label(1, 1)).toEqual({ labels: [1, 2] });
  await label(1, 1);
  expect(await label(2, 0)).toEqual({ labels: [1] });
  expect(await world.auditOf(bo)).toEqual(["label", "label", "unlabel"]);
});

test("[DESK-6] resets parts of a profile, and birthday and gender only for an administrator", async () => {
  const [moderator, ada, bo] = [await world.moderator(), await world.administrator(), await world.person()];
  await world.db.updateTable("users").set({ about: "rude", nickname: "rude" }).where("id", "=", bo).execute();
  const [context, named] = await input(moderator, bo);
  for (const field of ["nickname", "about"] as const) await handlers.adminReset(context, { ...named, field, note: "" });
  const row = () => world.db.selectFrom("users").selectAll().where("id", "=", bo).executeTakeFirstOrThrow();
  expect(await row()).toMatchObject({ about: "", nickname: (await row()).user_no, nickname_changed_at: null });
  const birthday = { ...named, field: "birthday" as const, note: "" };
  expect(await refusalOf(handlers.adminReset(context, birthday))).toEqual({ code: 403, data: { reason: "role" } });
  const [own] = await input(ada, bo);
  await handlers.adminReset(own, birthday);
  expect(await row()).toMatchObject({ birthday: null });
  expect([refreshed, changed]).toEqual([expect.arrayContaining([bo]), expect.arrayContaining([bo])]);
});

test("[DESK-6] removes the current avatar, and rejects another user's picture", async () => {
  const [moderator, bo] = [await world.moderator(), await world.person()];
  const image = { user_id: bo, blob_key: "blob", thumb_key: "thumb", width: 9, height: 9, created_at: at() };
  await world.db
    .insertInto("images")
    .values({ ...image, public_id: "shown", kind: "avatar", status: "approved" })
    .execute();
  const [context, named] = await input(moderator, bo);
  removed = [];
  await handlers.adminImageDelete(context, { ...named, id: "shown" });
  await handlers.adminReset(context, { ...named, field: "avatar", note: "" });
  expect(removed).toEqual([`${bo}:avatar`, `${bo}:avatar`]);
  const [, stranger] = await input(moderator, await world.person());
  expect(await refusalOf(handlers.adminImageDelete(context, { ...stranger, id: "shown" }))).toEqual({
    code: 400,
    data: { field: "id" },
  });
  expect(await world.auditOf(BigInt(stranger.other_id))).toEqual([]);
});

test("reads the transparency report once for all requests of ten seconds, and again after a failure", async () => {
  let reads = 0;
  let isDown = true;
  const replica: Parameters<typeof deskHandlers>[1]["replica"] = {
    read: async (primary, work) => {
      reads += 1;
      if (isDown) throw new Error("no database");
      return work(primary);
    },
  };
  const { transparency } = deskHandlers(desk, { ...deskParts(), replica });
  const twenty = () => Promise.allSettled(Array.from({ length: 20 }, () => transparency(callContext(), {})));
  expect((await twenty()).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => "rejected"));
  isDown = false;
  const to = world.clock.nowMs();
  const same = Array.from({ length: 20 }, () => ({ status: "fulfilled", value: expect.objectContaining({ to }) }));
  expect(await twenty()).toEqual(same);
  world.clock.advance(9_000);
  expect([await twenty(), reads]).toEqual([same, 2]);
  world.clock.advance(1_000);
  expect(await transparency(callContext(), {})).toMatchObject({ to: to + 10_000 });
  expect(reads).toBe(3);
});

test("blocks a picture deleted as nudity from a new upload before deleting it, and logs the reason", async () => {
  const [moderator, bo] = [await world.moderator(), await world.person()];
  const image = { user_id: bo, blob_key: "k", thumb_key: "k", width: 1, height: 1, created_at: at() };
  await world.db
    .insertInto("images")
    .values(["one", "two"].map((public_id) => ({ ...image, public_id, kind: "photo", status: "approved" })))
    .execute();
  const [context, named] = await input(moderator, bo);
  removed = [];
  await handlers.adminImageDelete(context, { ...named, id: "one", reason_id: 1 });
  await handlers.adminImageDelete(context, { ...named, id: "two", reason_id: 2 });
  await handlers.adminImagesDelete(context, named);
  await handlers.adminImagesDelete(context, { ...named, reason_id: 1 });
  expect(removed).toEqual([`bar ${bo}:one`, `${bo}:one`, `${bo}:two`, `${bo}:all`, `bar ${bo}:all`, `${bo}:all`]);
  const logged = await world.db
    .selectFrom("audit_log")
    .select("reason_id")
    .where("subject_id", "=", bo)
    .orderBy("id")
    .execute();
  expect(logged.map(({ reason_id }) => reason_id)).toEqual([1, 2, null, 1]);
});

test("[DESK-9] shows data of moderators only to administrators", async () => {
  const [mia, noor, ada] = [await world.moderator(), await world.moderator(), await world.administrator()];
  for (const colleague of [noor, ada]) {
    expect(await refusalOf(panelOf(mia, colleague))).toMatchObject({ code: 403, data: { reason: "colleague" } });
    for (const by of ["traces", "profile"] as const) {
      const [context, named] = await input(mia, colleague);
      const linked = handlers.adminSameIp(context, { ...named, by });
      expect(await refusalOf(linked)).toMatchObject({ code: 403, data: { reason: "colleague" } });
    }
  }
  expect(await refusalOf(panelOf(mia, mia))).toMatchObject({ code: 403, data: { reason: "own_case" } });
  expect(await panelOf(ada, mia)).toMatchObject({ user_id: Number(mia), role: 2 });
  expect(await panelOf(mia, await world.person())).toMatchObject({ role: 0 });
});

test("[DESK-7] rejects actions on oneself, and of a moderator on a colleague", async () => {
  const [moderator, colleague, ada] = [await world.moderator(), await world.moderator(), await world.administrator()];
  const [context, self] = await input(moderator, moderator);
  const [, other] = await input(moderator, colleague);
  for (const [target, reason] of [
    [self, "own_case"],
    [other, "colleague"],
  ] as const) {
    const refusal = { code: 403, data: { reason } };
    expect(await refusalOf(handlers.adminNote(context, { ...target, text: "x" }))).toEqual(refusal);
    expect(await refusalOf(handlers.adminLabeling(context, { ...target, label_id: 1, on: 1 }))).toEqual(refusal);
    expect(await refusalOf(handlers.adminReset(context, { ...target, field: "about", note: "" }))).toEqual(refusal);
    expect(await refusalOf(handlers.adminImagesDelete(context, target))).toEqual(refusal);
  }
  const [own, named] = await input(ada, colleague);
  await handlers.adminNote(own, { ...named, text: "x" });
  expect(await world.auditOf(colleague)).toEqual(["note"]);
});

test("[DESK-8] keeps one of two administrators who demote each other at once", async () => {
  for (let times = 0; times < 10; times += 1) {
    const pair = [await world.administrator(), await world.administrator()] as const;
    const demote = async (by: bigint, other: bigint) => {
      const [context, named] = await input(by, other);
      return () => handlers.adminSetRole(context, { ...named, role: 0 });
    };
    const both = [await demote(pair[0], pair[1]), await demote(pair[1], pair[0])];
    const done = await Promise.allSettled(both.map((act) => act()));
    expect(done.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const left = await world.db.selectFrom("users").select("role").where("id", "in", pair).execute();
    expect(new Set(left.map(({ role }) => role))).toEqual(new Set([0, 3]));
  }
});

test("[DESK-8] lets an administrator give and remove roles, except their own", async () => {
  const [ada, bo] = [await world.administrator(), await world.person()];
  const [context, named] = await input(ada, bo);
  await handlers.adminSetRole(context, { ...named, role: 2 });
  expect(await world.contextOf(bo)).toMatchObject({ session: { role: 2 } });
  expect([refreshed, changed]).toEqual([expect.arrayContaining([bo]), expect.arrayContaining([bo])]);
  const [, self] = await input(ada, ada);
  expect(await refusalOf(handlers.adminSetRole(context, { ...self, role: 0 }))).toEqual({
    code: 403,
    data: { reason: "own_case" },
  });
});

test("finds accounts with a similar picture or the same text on request, and none of the desk", async () => {
  const moderator = await world.moderator();
  const people = await Promise.all(Array.from({ length: 6 }, () => world.person()));
  const [bo, alike, mirrored, writer, colleague, other] = people as [bigint, bigint, bigint, bigint, bigint, bigint];
  const hash = "f0e1d2c3b4a59687";
  const picture = async (userId: bigint, phash: string) => {
    const row = {
      public_id: `similar-${userId}`,
      user_id: userId,
      kind: "photo" as const,
      status: "approved" as const,
    };
    const file = { blob_key: "b", thumb_key: "t", width: 1, height: 1, created_at: at(), phash };
    await world.db
      .insertInto("images")
      .values({ ...row, ...file })
      .execute();
  };
  await picture(bo, hash);
  await picture(alike, "f0e1d2c3b4a59680");
  await picture(mirrored, mirroredHash(hash));
  await picture(colleague, hash);
  await picture(other, "0123456789abcdef");
  await world.db.updateTable("users").set({ role: 2 }).where("id", "=", colleague).execute();
  const write = (userId: bigint, about: string) =>
    world.db.updateTable("users").set({ about }).where("id", "=", userId).execute();
  await write(bo, "Write me on my channel!");
  await write(writer, "write me … ON my channel 2");
  await write(other, "I like films.");
  const [context, named] = await input(moderator, bo);
  const similar = async () => {
    const { rows } = await handlers.adminSameIp(context, { ...named, by: "profile" });
    return new Set(rows.map(({ user_id, what }) => [BigInt(user_id), what]));
  };
  expect(await similar()).toEqual(
    new Set([
      [alike, "picture"],
      [mirrored, "picture"],
      [writer, "text"],
    ]),
  );
  await handlers.adminSameIpOperate(context, { ...named, linked_id: Number(writer), operation: 1 });
  expect(await similar()).toEqual(
    new Set([
      [alike, "picture"],
      [mirrored, "picture"],
    ]),
  );
  expect((await handlers.adminSameIp(context, { ...named, by: "traces" })).rows).toEqual([]);
});
