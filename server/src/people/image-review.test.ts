import { beforeAll, beforeEach, expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { listPageRows } from "@fava/wire/limits.ts";
import { type ImageWorld, imageWorld, type Painter } from "#test/fixtures/image-world.ts";

let world: ImageWorld;
let ana: Painter;
let bo: Painter;
let mia: Painter;
let noor: Painter;

beforeAll(async () => {
  world = await imageWorld();
  [ana, bo] = [await world.painter("ana"), await world.painter("bo")];
  [mia, noor] = [await world.painter("mia"), await world.painter("noor")];
});

beforeEach(async () => {
  await world.database.db.deleteFrom("images").execute();
});

type Page = OutputOf<Endpoints["adminImageList"]>;
const listed = async (name: "adminAvatarList" | "adminImageList", input: object = {}) =>
  (await mia.call(name, input)).data as unknown as Page;
const photo = async (painter: Painter, colour: string) => {
  const id = await painter.uploaded(colour);
  await painter.call("imageAdd", { id });
  return id;
};
const avatar = async (painter: Painter, colour: string) => {
  const id = await painter.uploaded(colour);
  await painter.call("userUpdate", { avatar: id });
  return id;
};
const avatarOf = async (painter: Painter) => String((await painter.call("myInfo")).data["avatar"]);

test("lists waiting pictures by kind, oldest first, with working addresses", async () => {
  const photos = [await photo(ana, "#100000"), await photo(bo, "#200000"), await photo(ana, "#300000")];
  const face = await avatar(bo, "#400000");
  await ana.uploaded("#500000");
  const page = await listed("adminImageList");
  expect(page.rows.map(({ id }) => id)).toEqual(photos);
  expect(page.rows[1]).toMatchObject({
    user_id: Number(bo.userId),
    user_no: "10000002",
    nickname: "Bo",
    status: "pending",
  });
  expect((await listed("adminAvatarList")).rows.map(({ id }) => id)).toEqual([face]);
  for (const { url, thumb } of page.rows) {
    expect((await world.get(url)).statusCode).toBe(200);
    expect((await world.get(thumb)).statusCode).toBe(200);
  }
});

test("pages a long list without repeating or missing a picture", async () => {
  const id = await photo(ana, "#100000");
  const row = await world.database.db
    .selectFrom("images")
    .selectAll()
    .where("public_id", "=", id)
    .executeTakeFirstOrThrow();
  const { id: _id, ...copy } = row;
  const copies = Array.from({ length: listPageRows + 5 }, (_, index) => ({ ...copy, public_id: `copy-${index}` }));
  await world.database.db.insertInto("images").values(copies).execute();
  const first = await listed("adminImageList");
  expect(first.rows).toHaveLength(listPageRows);
  const second = await listed("adminImageList", { cursor: first.next });
  expect(second.next).toBeNull();
  const ids = [...first.rows, ...second.rows].map((one) => one.id);
  expect(ids).toEqual([id, ...copies.map((one) => one.public_id)]);
  expect((await mia.call("adminImageList", { cursor: "1 or 1=1" })).code).toBe(400);
});

test("shows an approved photo to everybody, and notifies its owner's page", async () => {
  const id = await photo(ana, "#100000");
  world.bus.arrive(ana.userId);
  expect((await mia.call("adminImageOperate", { id, operation: 1 })).code).toBe(codes.ok);
  expect(world.bus.take(ana.userId)).toEqual([{ code: 100_003 }, { code: 100_007 }]);
  const [shown] = await world.images.photosOf(ana.userId);
  expect(shown).toEqual({
    id,
    url: expect.stringMatching(/webp$/) as string,
    thumb: expect.stringMatching(/webp$/) as string,
  });
  expect((await world.get(shown?.url ?? "")).statusCode).toBe(200);
  expect((await listed("adminImageList", { status: "approved" })).rows.map((row) => row.id)).toEqual([id]);
  expect((await listed("adminImageList")).rows).toEqual([]);
});

test("shows a rejected photo to its owner only, with the reason", async () => {
  const id = await photo(ana, "#100000");
  expect((await mia.call("adminImageOperate", { id, operation: 2 })).data).toEqual({ field: "reason_id" });
  await mia.call("adminImageOperate", { id, operation: 2, reason_id: 3 });
  expect(await world.images.photosOf(ana.userId)).toEqual([]);
  const { photos } = await world.images.mine(ana.userId);
  expect(photos).toMatchObject([{ id, status: "refused", reason_id: 3 }]);
  expect((await world.get(photos[0]?.url ?? "")).statusCode).toBe(200);
  expect((await world.get((photos[0]?.url ?? "").split("?")[0] ?? "")).statusCode).toBe(404);
});

test("keeps the current avatar until another is approved, then deletes it", async () => {
  const before = await avatarOf(ana);
  expect((await world.get(before)).statusCode).toBe(200);
  const first = await avatar(ana, "#100000");
  expect(await avatarOf(ana)).toBe(before);
  await mia.call("adminAvatarOperate", { id: first, operation: 1 });
  const shown = await avatarOf(ana);
  expect(shown).not.toBe(before);
  expect((await world.get(shown)).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect((await world.get(before)).statusCode).toBe(404);
  expect((await ana.call("newPhoto")).data["avatar"]).toBeNull();
  expect((await ana.call("imageDel", { id: first })).code).toBe(400);

  const second = await avatar(ana, "#200000");
  await mia.call("adminAvatarOperate", { id: second, operation: 2, reason_id: 1 });
  expect(await avatarOf(ana)).toBe(shown);
  const third = await avatar(ana, "#300000");
  await mia.call("adminAvatarOperate", { id: third, operation: 1 });
  expect((await world.get(shown)).statusCode).toBe(404);
  expect((await world.get(await avatarOf(ana))).statusCode).toBe(200);
});

test("shows the new avatar in the next match", async () => {
  const { avatar: before } = await world.profiles.remoteUser(ana.userId, "en");
  await mia.call("adminAvatarOperate", { id: await avatar(ana, "#100000"), operation: 1 });
  const { avatar: after } = await world.profiles.remoteUser(ana.userId, "en");
  expect(after).not.toBe(before);
});

test("[IMG-34] decides a picture once: ignores the same decision, rejects another with 406", async () => {
  const id = await photo(ana, "#100000");
  const answers = await Promise.all([
    mia.call("adminImageOperate", { id, operation: 1 }),
    noor.call("adminImageOperate", { id, operation: 2, reason_id: 1 }),
  ]);
  expect(answers.map(({ code }) => String(code)).toSorted()).toEqual(["200", "406"]);
  expect(answers.find(({ code }) => code === 406)?.data).toEqual({ reason: "already_decided" });
  const operation = answers[0].code === codes.ok ? 1 : 2;
  world.bus.arrive(ana.userId);
  expect((await noor.call("adminImageOperate", { id, operation, reason_id: 2 })).code).toBe(codes.ok);
  expect(world.bus.take(ana.userId)).toEqual([]);
  const row = await world.database.db.selectFrom("images").selectAll().where("public_id", "=", id).executeTakeFirst();
  expect(row?.reason_id).toBe(operation === 1 ? null : 1);
  expect(row?.decided_by).toBe(operation === 1 ? mia.userId : noor.userId);
});

test("[IMG-35] lets only moderators list and decide, and never their own pictures", async () => {
  const own = await photo(mia, "#100000");
  for (const name of ["adminAvatarList", "adminImageList"] as const) {
    expect(await bo.call(name)).toMatchObject({ code: 403, data: { reason: "role" } });
  }
  for (const [painter, name] of [
    [bo, "adminImageOperate"],
    [bo, "adminAvatarOperate"],
    [mia, "adminImageOperate"],
  ] as const) {
    const reason = painter === mia ? "own_case" : "role";
    expect(await painter.call(name, { id: own, operation: 1 })).toMatchObject({ code: 403, data: { reason } });
  }
});

test("[IMG-35] rejects an unknown or removed picture, or one of another kind", async () => {
  const id = await photo(ana, "#100000");
  expect((await mia.call("adminAvatarOperate", { id, operation: 1 })).code).toBe(400);
  expect((await mia.call("adminImageOperate", { id: "none", operation: 1 })).code).toBe(400);
  await ana.call("imageDel", { id });
  expect((await mia.call("adminImageOperate", { id, operation: 1 })).code).toBe(400);
  expect((await listed("adminImageList")).rows).toEqual([]);
});

test("lists urgent pictures first, then the oldest; filters by kind", async () => {
  const ids = [await photo(ana, "#100000"), await photo(bo, "#200000"), await photo(ana, "#300000")];
  ids.push(await photo(bo, "#400000"), await photo(ana, "#500000"));
  const whys = ["new", "unsure", "random", "reported", "new"] as const;
  for (const [index, why] of whys.entries()) {
    await world.database.db
      .updateTable("images")
      .set({ why })
      .where("public_id", "=", ids[index] ?? "")
      .execute();
  }
  const listedIds = (await listed("adminImageList")).rows.map(({ id, why }) => [ids.indexOf(id), why]);
  const places = [
    [3, "reported"],
    [1, "unsure"],
    [0, "new"],
    [2, "random"],
    [4, "new"],
  ];
  expect(listedIds).toEqual(places);
  expect((await listed("adminImageList", { why: "unsure" })).rows.map(({ id }) => id)).toEqual([ids[1]]);
});

test("lists since when the owner exists, the findings and earlier decisions", async () => {
  const [approved, rejected, id] = [
    await photo(ana, "#100000"),
    await photo(ana, "#200000"),
    await photo(ana, "#300000"),
  ];
  const before = await listed("adminImageList");
  expect([before.waiting, before.oldest_at]).toEqual([3, before.rows[0]?.at]);
  await mia.call("adminImageOperate", { id: approved, operation: 1 });
  await mia.call("adminImageOperate", { id: rejected, operation: 2, reason_id: 2 });
  await world.database.db.updateTable("images").set({ explicit: 0.5 }).where("public_id", "=", id).execute();
  const { rows, waiting } = await listed("adminImageList");
  const { created_at } = await world.database.db
    .selectFrom("users")
    .select("created_at")
    .where("id", "=", ana.userId)
    .executeTakeFirstOrThrow();
  expect(waiting).toBe(1);
  expect(rows).toMatchObject([
    { id, joined_at: created_at.getTime(), explicit: 0.5, earlier: { approved: 1, rejected: 1 }, claim: null },
  ]);
});

async function claim(id: string, painter: Painter, until: Date): Promise<void> {
  const row = { item: `image:${id}`, moderator_id: painter.userId, until };
  await world.database.db.insertInto("claims").values(row).execute();
}

test("shows another moderator's claim, and rejects a decision meanwhile", async () => {
  const id = await photo(ana, "#100000");
  const until = new Date(world.clock.nowMs() + 600_000);
  await claim(id, noor, until);
  expect((await listed("adminImageList")).rows[0]?.claim).toEqual({
    mine: false,
    name: "Noor",
    until: until.getTime(),
  });
  expect(await mia.call("adminImageOperate", { id, operation: 1 })).toMatchObject({ data: { reason: "claimed" } });
  expect((await noor.call("adminImageOperate", { id, operation: 1 })).code).toBe(codes.ok);
  expect(await world.database.db.selectFrom("claims").selectAll().execute()).toEqual([]);
});

test("ignores an expired claim", async () => {
  const id = await photo(ana, "#100000");
  await claim(id, noor, new Date(world.clock.nowMs()));
  expect((await listed("adminImageList")).rows[0]?.claim).toBeNull();
  expect((await mia.call("adminImageOperate", { id, operation: 1 })).code).toBe(codes.ok);
});

test("logs once who decided about whose picture, and why", async () => {
  const [one, other] = [await photo(ana, "#100000"), await photo(bo, "#200000")];
  await mia.call("adminImageOperate", { id: one, operation: 1 });
  await mia.call("adminImageOperate", { id: one, operation: 1 });
  await noor.call("adminImageOperate", { id: other, operation: 2, reason_id: 3 });
  const rows = await world.database.db
    .selectFrom("audit_log")
    .select(["kind", "actor_id", "subject_id", "reason_id"])
    .where((eb) => eb.or([one, other].map((id) => eb("detail", "like", `%${id}%`))))
    .orderBy("id")
    .execute();
  expect(rows).toEqual([
    { kind: "image_approve", actor_id: mia.userId, subject_id: ana.userId, reason_id: null },
    { kind: "image_reject", actor_id: noor.userId, subject_id: bo.userId, reason_id: 3 },
  ]);
});
