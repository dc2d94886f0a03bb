import { beforeAll, beforeEach, expect, test } from "vitest";
import { type ImageWorld, imageWorld, type Painter } from "#test/fixtures/image-world.ts";
import { pngOf } from "#test/fixtures/pictures.ts";

const safe = {
  "content-type": "image/webp",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
};
const hourMs = 3_600_000;

let world: ImageWorld;
let ana: Painter;
let signed: string;
let plain: string;

beforeAll(async () => {
  world = await imageWorld();
  ana = await world.painter("ana");
});

beforeEach(async () => {
  await world.database.db.deleteFrom("images").execute();
  const { data } = await ana.upload(await pngOf());
  await ana.call("imageAdd", { id: data.id });
  signed = data.url;
  plain = signed.split("?")[0] ?? "";
});

async function approve(): Promise<void> {
  await world.database.db.updateTable("images").set({ status: "approved" }).execute();
}

test("[IMG-20] serves a waiting picture by its signed address only, uncached", async () => {
  const answer = await world.get(signed);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({ ...safe, "cache-control": "private, no-store" });
  expect((await world.get(plain)).statusCode).toBe(404);
  expect((await world.get(plain.replace("images", "avatars"))).statusCode).toBe(404);
});

test("serves an approved picture to everybody, cacheable forever", async () => {
  await approve();
  const answer = await world.get(plain);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({ ...safe, "cache-control": "public, max-age=31536000, immutable" });
});

test("opens one picture by a signature, for at most two hours", async () => {
  const { data: other } = await ana.upload(await pngOf({ colour: "#998877" }));
  const [, query = ""] = signed.split("?");
  const otherKey = other.url.split("?")[0] ?? "";
  expect((await world.get(`${otherKey}?${query}`)).statusCode).toBe(404);
  const later = query.replace(/until=\d+/, `until=${world.clock.nowMs() + 9 * hourMs}`);
  expect((await world.get(`${plain}?${later}`)).statusCode).toBe(404);
  for (const broken of ["until=1&sign=2", "until=9999999999999", `${query}0`, `${query}&until=9999999999999`]) {
    expect([broken, (await world.get(`${plain}?${broken}`)).statusCode]).toEqual([broken, 404]);
  }
  world.clock.advance(2 * hourMs);
  expect((await world.get(signed)).statusCode).toBe(404);
});

test("keeps the signed address for an hour, so that a page fetches it once", async () => {
  const address = world.images.addresses.signed("key");
  world.clock.advance(hourMs - 1 - (world.clock.nowMs() % hourMs));
  expect(world.images.addresses.signed("key")).toBe(address);
  world.clock.advance(1);
  expect(world.images.addresses.signed("key")).not.toBe(address);
});

test("does not serve pictures of deleted accounts and removed ones", async () => {
  await approve();
  const deleted = { deleted_at: new Date(world.clock.nowMs()) };
  await world.database.db.updateTable("users").set(deleted).where("id", "=", ana.userId).execute();
  expect((await world.get(plain)).statusCode).toBe(404);
  await world.database.db.updateTable("users").set({ deleted_at: null }).execute();
  expect((await world.get(plain)).statusCode).toBe(200);
  await world.images.removeAll(ana.userId);
  expect((await world.get(plain)).statusCode).toBe(404);
  expect((await world.get(signed)).statusCode).toBe(404);
});

test("serves nothing but pictures, and lets nobody cache a 404", async () => {
  const zip = `${"a".repeat(64)}.zip`;
  world.blobs.set(zip, Buffer.from("archive"));
  for (const key of [zip, "..%2f..%2fetc%2fpasswd", `${"b".repeat(64)}.webp`, "x"]) {
    for (const folder of ["images", "avatars"]) {
      const answer = await world.get(`/media/${folder}/${key}`);
      expect([key, answer.statusCode, answer.headers["cache-control"]]).toEqual([key, 404, "no-store"]);
    }
  }
  const address = world.images.addresses.signed(zip);
  expect((await world.get(address)).statusCode).toBe(404);
});
