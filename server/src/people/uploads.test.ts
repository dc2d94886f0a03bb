import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import type { OwnImage } from "@fava/wire/images.ts";
import { imageBytesMax, photosMax } from "@fava/wire/limits.ts";
import { memoryBlobs } from "#test/fakes/memory-blobs.ts";
import { type ImageWorld, imageWorld, type Painter } from "#test/fixtures/image-world.ts";
import { bomb, pngOf } from "#test/fixtures/pictures.ts";

let world: ImageWorld;
let ana: Painter;
let bo: Painter;
let mia: Painter;

beforeAll(async () => {
  world = await imageWorld();
  [ana, bo, mia] = [await world.painter("ana"), await world.painter("bo"), await world.painter("mia")];
});

beforeEach(async () => {
  await world.database.db.deleteFrom("images").execute();
  await world.database.db.updateTable("users").set({ avatar_key: "" }).execute();
  world.blobs.clear();
});

interface Own {
  avatar: OwnImage | null;
  photos: OwnImage[];
}
const mine = async (painter = ana) => (await painter.call("newPhoto")).data as unknown as Own;
const photoIds = async (painter = ana) => (await mine(painter)).photos.map(({ id }) => id);
/** Colours that differ enough for the pictures to count as different. */
const colour = (index: number) => `hsl(${index * 27}, 90%, 50%)`;
const rows = () => world.database.db.selectFrom("images").selectAll().orderBy("id").execute();

test("re-encodes an upload, and returns addresses that work for its owner", async () => {
  const { code, data } = await ana.upload(await pngOf({ width: 200, height: 100 }));
  expect(code).toBe(codes.ok);
  expect(data).toMatchObject({ width: 200, height: 100, status: "pending", reason_id: null });
  expect(world.blobs.size).toBe(2);
  for (const address of [data.url, data.thumb]) {
    expect(address).toMatch(/^\/media\/images\/[0-9a-f]{64}\.webp\?until=\d{13}&sign=[0-9a-f]{64}$/);
    expect((await world.get(address)).headers["content-type"]).toBe("image/webp");
  }
});

test("rejects an upload of more than 8 MiB with 413, and stores nothing", async () => {
  const { status, code } = await ana.upload(Buffer.alloc(imageBytesMax + 1));
  expect([status, code]).toEqual([413, codes.tooLarge]);
  const whole = await ana.upload(Buffer.alloc(imageBytesMax + 1_000_000));
  expect([whole.status, whole.code]).toEqual([413, codes.tooLarge]);
  expect(world.blobs.size).toBe(0);
  expect(await rows()).toEqual([]);
});

test("[IMG-4] rejects a file that is not a picture with 406 and its reason, and stores nothing", async () => {
  for (const file of [Buffer.from("<html></html>"), await bomb()]) {
    expect(await ana.upload(file)).toMatchObject({ code: codes.refused, data: { reason: "image_unreadable" } });
  }
  expect(world.blobs.size).toBe(0);
});

test("rejects twelve simultaneous files of too large pictures, and accepts another user's", async () => {
  const file = await bomb();
  expect(file.length).toBeLessThan(imageBytesMax / 30);
  const twelve = Array.from({ length: 12 }, () => ana.upload(file));
  expect((await bo.upload(await pngOf())).code).toBe(codes.ok);
  const answers = await Promise.all(twelve);
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => codes.refused));
  expect(await rows()).toHaveLength(1);
});

test("rejects uploads without birthday and gender", async () => {
  const kim = await world.painter("somebody new");
  expect(await kim.upload(await pngOf())).toMatchObject({ code: 403, data: { reason: "profile_incomplete" } });
});

test("keeps the ten newest unused uploads with their bytes", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 12; index += 1) ids.push(await ana.uploaded(colour(index)));
  expect((await rows()).map(({ public_id }) => public_id)).toEqual(ids.slice(2));
  expect(world.blobs.size).toBe(20);
  expect(await ana.call("imageAdd", { id: ids[0] ?? "" })).toMatchObject({ code: 400, data: { field: "id" } });
});

test("deletes an upload after an unused day, but no used one", async () => {
  const used = await ana.uploaded("#112233");
  await ana.uploaded("#445566");
  await ana.call("imageAdd", { id: used });
  world.clock.advance(86_399_000);
  await world.images.forgetStale();
  expect(await rows()).toHaveLength(2);
  world.clock.advance(2_000);
  await world.images.forgetStale();
  expect((await rows()).map(({ public_id }) => public_id)).toEqual([used]);
  expect(world.blobs.size).toBe(2);
});

test("appends, orders and removes photos", async () => {
  const [one, two, three] = [
    await ana.uploaded("#110000"),
    await ana.uploaded("#001100"),
    await ana.uploaded("#000011"),
  ];
  for (const id of [one, two, three, two]) expect((await ana.call("imageAdd", { id })).code).toBe(codes.ok);
  expect(await photoIds()).toEqual([one, two, three]);
  expect((await ana.call("imageOrder", { ids: [three, one, two].join(",") })).code).toBe(codes.ok);
  expect(await photoIds()).toEqual([three, one, two]);
  const { data } = await ana.call("imageDel", { id: one });
  expect((data as unknown as Own).photos.map(({ id }) => id)).toEqual([three, two]);
  expect((await ana.call("imageDel", { id: one })).code).toBe(codes.ok);
});

test("rejects an order that does not list every photo once", async () => {
  const [one, two] = [await ana.uploaded("#110000"), await ana.uploaded("#001100")];
  const hers = await bo.uploaded("#220000");
  for (const id of [one, two]) await ana.call("imageAdd", { id });
  await bo.call("imageAdd", { id: hers });
  for (const ids of [one, `${one},${one}`, `${one},${two},${two}`, `${one},${hers}`, `${one},${two},`, "x,y"]) {
    expect([ids, (await ana.call("imageOrder", { ids })).code]).toEqual([ids, 400]);
  }
  expect(await photoIds()).toEqual([one, two]);
});

test("rejects one photo above the limit with 406, also of two at the same moment", async () => {
  const ids: string[] = [];
  for (let index = 0; index <= photosMax; index += 1) ids.push(await ana.uploaded(colour(index)));
  for (const id of ids.slice(0, photosMax - 1)) await ana.call("imageAdd", { id });
  const answers = await Promise.all(ids.slice(photosMax - 1).map((id) => ana.call("imageAdd", { id })));
  expect(answers.map(({ code }) => String(code)).toSorted()).toEqual(["200", "406"]);
  expect(answers.find(({ code }) => code === 406)?.data).toEqual({ reason: "too_many" });
  expect(await photoIds()).toHaveLength(photosMax);
});

test("rejects using, ordering or removing another user's pictures", async () => {
  const hers = await bo.uploaded("#220000");
  expect(await ana.call("imageAdd", { id: hers })).toMatchObject({ code: 400, data: { field: "id" } });
  expect(await ana.call("userUpdate", { avatar: hers })).toMatchObject({ code: 400, data: { field: "avatar" } });
  await ana.call("imageDel", { id: hers });
  await bo.call("imageAdd", { id: hers });
  expect(await photoIds(bo)).toEqual([hers]);
});

test("stores the same picture of two users once, until neither has it", async () => {
  const [hers, his] = [await ana.uploaded("#abcdef"), await bo.uploaded("#abcdef")];
  expect(world.blobs.size).toBe(2);
  await ana.call("imageDel", { id: hers });
  expect(world.blobs.size).toBe(2);
  await bo.call("imageDel", { id: his });
  expect(world.blobs.size).toBe(0);
});

test("never loses needed bytes when one picture is stored and removed at the same time", async () => {
  for (let round = 0; round < 5; round += 1) {
    const hers = await ana.uploaded("#fedcba");
    const [his] = await Promise.all([bo.uploaded("#fedcba"), ana.call("imageDel", { id: hers })]);
    expect(world.blobs.size).toBe(2);
    await bo.call("imageDel", { id: his });
    expect(world.blobs.size).toBe(0);
  }
});

test("deletes bytes later that could not be deleted", async () => {
  const id = await ana.uploaded("#123456");
  const deleting = vi.spyOn(world.blobs, "delete").mockImplementation(() => {
    throw new Error("storage is away");
  });
  expect((await ana.call("imageDel", { id })).code).toBe(codes.serverError);
  expect(await photoIds()).toEqual([]);
  expect(world.blobs.size).toBe(2);
  deleting.mockRestore();
  await world.images.forgetStale();
  expect(world.blobs.size).toBe(0);
  expect(await rows()).toEqual([]);
});

test("holds no database connection while a bucket stores, and drops an upload that fails", async () => {
  let fail = (_error: Error) => {};
  using put = vi.spyOn(world.storage, "put").mockReturnValue(new Promise((_resolve, reject) => (fail = reject)));
  const uploading = ana.upload(await pngOf());
  await vi.waitFor(() => expect(put).toHaveBeenCalledTimes(2), { timeout: 5_000 });
  const { rows: held } = await sql`
    select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(
    world.database.db,
  );
  expect(held).toEqual([]);
  fail(new Error("storage is away"));
  expect((await uploading).code).toBe(codes.serverError);
  put.mockRestore();
  await world.images.forgetStale();
  expect(await rows()).toEqual([]);
});

test("deletes bytes that a bucket stores after their picture was removed", async () => {
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  using put = vi.spyOn(world.storage, "put").mockImplementation(async (bytes, extension) => {
    await gate;
    return memoryBlobs(world.blobs).put(bytes, extension);
  });
  const uploading = ana.upload(await pngOf());
  await vi.waitFor(() => expect(put).toHaveBeenCalledTimes(2), { timeout: 5_000 });
  await world.images.removeAll(ana.userId);
  expect(await rows()).toEqual([]);
  goOn();
  await uploading;
  expect(world.blobs.size).toBe(0);
});

test("deletes what a bucket stored without an answer if its picture was removed meanwhile", async () => {
  using _put = vi.spyOn(world.storage, "put").mockImplementation(async (bytes, extension) => {
    await world.images.removeAll(ana.userId);
    await memoryBlobs(world.blobs).put(bytes, extension);
    throw new Error("no answer");
  });
  expect((await ana.upload(await pngOf())).code).toBe(codes.serverError);
  await vi.waitFor(() => expect(world.blobs.size).toBe(0), { timeout: 5_000 });
});

test("does not displace an earlier upload by one that fails", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 10; index += 1) ids.push(await ana.uploaded(colour(index)));
  using put = vi.spyOn(world.storage, "put").mockRejectedValue(new Error("storage is away"));
  expect((await ana.upload(await pngOf())).code).toBe(codes.serverError);
  put.mockRestore();
  await world.images.forgetStale();
  expect((await rows()).map(({ public_id }) => public_id)).toEqual(ids);
  expect(world.blobs.size).toBe(20);
});

test("[USER-27] keeps a proposed avatar waiting, until another replaces it", async () => {
  const [one, two] = [await ana.uploaded("#100000"), await ana.uploaded("#200000")];
  const { data } = await ana.call("userUpdate", { avatar: one });
  expect(data["avatar"]).toBe("");
  expect((await mine()).avatar).toMatchObject({ id: one, status: "pending" });
  expect((await ana.call("userUpdate", { avatar: one })).code).toBe(codes.ok);
  await ana.call("userUpdate", { avatar: two });
  expect((await mine()).avatar).toMatchObject({ id: two, status: "pending" });
  expect(world.blobs.size).toBe(2);
  await ana.call("imageDel", { id: two });
  expect((await mine()).avatar).toBeNull();
  expect(world.blobs.size).toBe(0);
});

test("[USER-27] rejects a photo as the avatar, and the reverse", async () => {
  const [photo, avatar] = [await ana.uploaded("#100000"), await ana.uploaded("#200000")];
  await ana.call("imageAdd", { id: photo });
  await ana.call("userUpdate", { avatar });
  expect(await ana.call("userUpdate", { avatar: photo })).toMatchObject({ code: 400, data: { field: "avatar" } });
  expect(await ana.call("imageAdd", { id: avatar })).toMatchObject({ code: 400, data: { field: "id" } });
});

test("removes all pictures of a user with their bytes, and nobody else's", async () => {
  await bo.uploaded("#200000");
  const [photo, avatar] = [await ana.uploaded("#100000"), await ana.uploaded("#300000")];
  await ana.call("imageAdd", { id: photo });
  await ana.call("userUpdate", { avatar });
  await mia.call("adminAvatarOperate", { id: avatar, operation: 1 });
  await world.images.removeAll(ana.userId);
  expect(await mine()).toEqual({ avatar: null, photos: [] });
  expect(world.blobs.size).toBe(2);
  await expect(world.profiles.remoteUser(bo.userId, "en")).resolves.toMatchObject({ avatar: "" });
});

test("rejects an upload of an ended session", async () => {
  const omar = await world.painter("omar");
  await world.login("omar");
  expect((await omar.upload(await pngOf())).code).toBe(404);
  expect(await rows()).toEqual([]);
});
