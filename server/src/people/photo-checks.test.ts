import sharp from "sharp";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { mirroredHash } from "@fava/wire/picture-hash.ts";
import type { Limits } from "#ports/rate-limits.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { memoryBlobs } from "#test/fakes/memory-blobs.ts";
import { ScriptedClassifier, type ScriptedWords } from "#test/fakes/scripted-classifier.ts";
import { blots, framePictures, mirroredBlots } from "#test/fixtures/frame-pictures.ts";
import { type ImageWorld, imageWorld, type Painter } from "#test/fixtures/image-world.ts";
import { pngOf } from "#test/fixtures/pictures.ts";
import { ImageService, type ImageServiceOptions } from "./image-service.ts";
import { ServerSecret } from "#lib/server-secret.ts";

let world: ImageWorld;
let ana: Painter;
let bo: Painter;
let mia: Painter;
let classifier: ScriptedClassifier;
let images: ImageService;

beforeAll(async () => {
  world = await imageWorld();
  [ana, bo, mia] = [await world.painter("ana"), await world.painter("bo"), await world.painter("mia")];
});

beforeEach(async () => {
  await world.database.db.deleteFrom("images").execute();
  await world.database.db.deleteFrom("removed_pictures").execute();
  classifier = new ScriptedClassifier();
  images = service();
});

function service(change: Partial<ImageServiceOptions> = {}): ImageService {
  return new ImageService({
    db: world.database.db,
    clock: world.clock,
    random: {
      bytes: (count) => Buffer.from(crypto.getRandomValues(new Uint8Array(count))),
      integer: (_min, max) => max,
    },
    blobs: memoryBlobs(world.blobs),
    serverSecret: new ServerSecret("secret of the tests, long enough to be one"),
    limits: { take: async () => null, waitSeconds: async () => null },
    classifier,
    isShadow: false,
    logger: { warn: () => undefined },
    ...change,
  });
}

async function photo(picture: Buffer, by: { images?: ImageService; userId?: bigint } = {}) {
  const { images: taken = images, userId = ana.userId } = by;
  const { id } = await taken.upload(userId, picture);
  await taken.addPhoto(userId, id);
  return world.database.db.selectFrom("images").selectAll().where("public_id", "=", id).executeTakeFirstOrThrow();
}

const audited = (publicId: string) =>
  world.database.db
    .selectFrom("audit_log")
    .select(["kind", "actor_id", "subject_id", "reason_id", "detail"])
    .where("detail", "like", `%${publicId}%`)
    .execute();

test("[IMG-61] classifies every upload by all models, with codes, and stores the scores", async () => {
  classifier.says({ porn: 0.25 });
  const row = await photo(await blots(1));
  expect(row).toMatchObject({
    status: "pending",
    why: "new",
    phash: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  expect(row.explicit).toBeCloseTo(0.25);
  expect(classifier.asked).toEqual([{ depth: "all", codes: true, priority: 2 }]);
});

test.each<[Partial<ScriptedWords>, string, string]>([
  [{ porn: 0.4, hentai: 0.21 }, "refused", "unsure"],
  [{ porn: 0.4, hentai: 0.19 }, "pending", "unsure"],
  [{ porn: 0.4 }, "pending", "unsure"],
  [{ porn: 0.39 }, "pending", "new"],
  [{ porn: 0.1, hentai: 0.8 }, "pending", "unsure"],
  [{ sexy: 0.8 }, "pending", "unsure"],
  [{ sexy: 0.79 }, "pending", "new"],
  [{ code: "https://t.me/ana" }, "pending", "contact"],
  [{ porn: 0.7, code: "https://t.me/ana" }, "refused", "unsure"],
])("[IMG-62] decides on scores of %j as %s, listed as %s", async (words, status, why) => {
  classifier.says(words);
  expect(await photo(await blots(1))).toMatchObject({ status, why, reason_id: status === "refused" ? 1 : null });
});

test("[IMG-62] logs a software rejection, and shows the owner its reason at once", async () => {
  classifier.says({ porn: 0.9 });
  const own = await images.upload(ana.userId, await blots(1));
  expect(own).toMatchObject({ status: "refused", reason_id: 1 });
  const [entry] = await audited(own.id);
  expect(entry).toMatchObject({ kind: "image_reject", actor_id: null, subject_id: ana.userId, reason_id: 1 });
  expect(JSON.parse(entry?.detail ?? "")).toMatchObject({ models: { explicit: 0.9 } });
  // Software rejected this picture, and only a moderator's rejection blocks further uploads.
  expect(await world.database.db.selectFrom("removed_pictures").selectAll().execute()).toEqual([]);
});

test("[IMG-62] lets a moderator approve what software rejected, which drops its reason", async () => {
  classifier.says({ porn: 0.9 });
  const { public_id } = await photo(await blots(1));
  expect((await mia.call("adminImageOperate", { id: public_id, operation: 1 })).code).toBe(200);
  expect(await world.images.photosOf(ana.userId)).toMatchObject([{ id: public_id }]);
  expect((await mia.call("adminImageOperate", { id: public_id, operation: 2, reason_id: 1 })).code).toBe(406);
});

test("[IMG-61] leaves a picture to a moderator when the models fail, and still stores its hash", async () => {
  classifier.isUp = false;
  expect(await photo(await blots(1))).toMatchObject({ status: "pending", why: "unsure", explicit: null });
  classifier.isUp = true;
  classifier.isBusy = true;
  const row = await photo(await blots(1));
  expect(row).toMatchObject({ status: "pending", why: "unsure", explicit: null });
  const off = await photo(await blots(1), { images: service({ classifier: null }) });
  expect(off).toMatchObject({ status: "pending", why: "new", explicit: null, phash: row.phash });
});

test("rejects nothing in shadow mode, and leaves the picture to a moderator", async () => {
  const shadow = service({ isShadow: true });
  classifier.says({ porn: 0.95 });
  expect(await photo(await blots(1), { images: shadow })).toMatchObject({ status: "pending", why: "unsure" });
});

test("[IMG-61] samples one harmless picture in twenty", async () => {
  const drawn = service({ random: { bytes: () => Buffer.from("drawn"), integer: () => 1 } });
  expect(await photo(await blots(1), { images: drawn })).toMatchObject({ status: "pending", why: "random" });
});

test("rejects an upload of what a moderator rejected as sexual, changed or mirrored, by anybody", async () => {
  const { public_id } = await photo(await blots(1));
  await mia.call("adminImageOperate", { id: public_id, operation: 2, reason_id: 1 });
  const [removed] = await world.database.db.selectFrom("removed_pictures").selectAll().execute();
  expect(removed).toMatchObject({ reason_id: 1, mirrored: mirroredHash(removed?.phash ?? "") });
  const smaller = await sharp(await blots(1))
    .resize(200)
    .jpeg({ quality: 50 })
    .toBuffer();
  for (const picture of [smaller, await mirroredBlots(1)]) {
    const row = await photo(picture, { userId: bo.userId });
    expect(row).toMatchObject({ status: "refused", reason_id: 1, why: "like_removed" });
    expect(await audited(row.public_id)).toMatchObject([{ kind: "image_reject", actor_id: null }]);
  }
  expect(await photo(await blots(2))).toMatchObject({ status: "pending", why: "new" });
});

test.each([
  [8, "refused"],
  [9, "pending"],
  [14, "pending"],
])("decides on a picture that differs in %i bits from a removed one as %s", async (bits, status) => {
  const { phash } = await photo(await blots(1));
  const changed = BigInt(`0x${phash}`) ^ ((1n << BigInt(bits)) - 1n);
  const removed = changed.toString(16).padStart(16, "0");
  await world.database.db
    .insertInto("removed_pictures")
    .values({ phash: removed, mirrored: mirroredHash(removed), reason_id: 1, at: new Date(0) })
    .execute();
  expect(await photo(await blots(1))).toMatchObject({ status, why: "like_removed" });
});

test("does not bar pictures that were rejected for other reasons, and flat ones", async () => {
  const other = await photo(await blots(1));
  await mia.call("adminImageOperate", { id: other.public_id, operation: 2, reason_id: 4 });
  const flat = await photo(await framePictures.grey());
  await mia.call("adminImageOperate", { id: flat.public_id, operation: 2, reason_id: 1 });
  expect(await world.database.db.selectFrom("removed_pictures").selectAll().execute()).toEqual([]);
  expect(await photo(await framePictures.grey())).toMatchObject({ status: "pending", why: "new" });
});

test("rejects an upload of what a moderator deleted as sexual, by anybody, and no other picture", async () => {
  const [gone, kept] = [await photo(await blots(1)), await photo(await blots(3))];
  await images.barUploads(ana.userId, { publicId: gone.public_id, reasonId: 1 });
  await images.remove(ana.userId, gone.public_id);
  expect(await photo(await mirroredBlots(1), { userId: bo.userId })).toMatchObject({
    status: "refused",
    reason_id: 1,
    why: "like_removed",
  });
  expect(await photo(await blots(3), { userId: bo.userId })).toMatchObject({ status: "pending", why: "new" });
  await images.barUploads(ana.userId, { reasonId: 1 });
  await images.removeAll(ana.userId);
  const again = await photo(await blots(3), { userId: mia.userId });
  expect(again).toMatchObject({ status: "refused", why: "like_removed", phash: kept.phash });
});

test("charges the user for the classifier's processor time", async () => {
  const take = vi.fn<Limits["take"]>(async () => null);
  const classify = classifier.classify.bind(classifier);
  vi.spyOn(classifier, "classify").mockImplementation(async (picture, question) => ({
    ...(await classify(picture, question)),
    processorMs: 630.5,
  }));
  await service({ limits: { take, waitSeconds: async () => null } }).upload(ana.userId, await blots(1));
  expect(take.mock.calls).toContainEqual(["decodeMsByUser", String(ana.userId), 631]);
});

test("charges the user for decoding, and rejects more with 429", async () => {
  const waitSeconds = vi.fn<Limits["waitSeconds"]>(async () => null);
  const take = vi.fn<Limits["take"]>(async () => null);
  const clock = new TestClock();
  vi.spyOn(clock, "monotonicMs").mockImplementation(() => performance.now());
  vi.spyOn(clock, "processorMs").mockImplementation(() => process.cpuUsage().user / 1_000);
  const busy = service({ clock, limits: { take, waitSeconds } });
  await busy.upload(ana.userId, await pngOf({ width: 2_000, height: 2_000 }));
  expect(take.mock.calls).toEqual([["decodeMsByUser", String(ana.userId), expect.any(Number)]]);
  expect(take.mock.calls[0]?.[2]).toBeGreaterThan(1);
  waitSeconds.mockResolvedValue(17);
  await expect(busy.upload(ana.userId, await pngOf())).rejects.toMatchObject({ code: 429, data: { retry_after: 17 } });
});

test("classifies one picture per user at a time, so that twelve of one user delay nobody", async () => {
  const opened: (() => void)[] = [];
  const classify = classifier.classify.bind(classifier);
  vi.spyOn(classifier, "classify").mockImplementation(async (picture, question) => {
    const verdict = await classify(picture, question);
    await new Promise<void>((resolve) => opened.push(resolve));
    return verdict;
  });
  const pictures = await Promise.all([1, 2, 3].map((seed) => blots(seed)));
  const greedy = pictures.map((picture) => images.upload(ana.userId, picture));
  await vi.waitFor(() => expect(opened).toHaveLength(1));
  const honest = images.upload(bo.userId, await blots(4));
  await vi.waitFor(() => expect(opened).toHaveLength(2));
  opened[1]?.();
  expect(await honest).toMatchObject({ status: "pending" });
  expect(opened).toHaveLength(2);
  opened[0]?.();
  for (const place of [2, 3]) {
    await vi.waitFor(() => expect(opened).toHaveLength(place + 1));
    opened[place]?.();
  }
  await Promise.all(greedy);
});
