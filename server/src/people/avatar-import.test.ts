import { beforeAll, expect, test, vi } from "vitest";
import { roles } from "@fava/wire/people.ts";
import { DeskService, type DeskViewer } from "#moderation/desk-service.ts";
import { memoryBlobs } from "#test/fakes/memory-blobs.ts";
import { type ImageWorld, imageWorld } from "#test/fixtures/image-world.ts";
import { callContext } from "#test/fixtures/session-world.ts";

let world: ImageWorld;
let desk: DeskService;
let mia: DeskViewer;

beforeAll(async () => {
  world = await imageWorld();
  desk = new DeskService({
    db: world.database.db,
    clock: world.clock,
    images: world.images,
    profileChanged: () => undefined,
    refreshSession: () => undefined,
    moderation: { open: () => Promise.reject(new Error("no case is opened here")) },
    profiles: world.profiles,
  });
  mia = { userId: (await world.login("mia")).user.id, role: roles.moderator, language: "en" };
});

const images = (userId: bigint) =>
  world.database.db.selectFrom("images").selectAll().where("user_id", "=", userId).execute();

test.each<[string, (userId: bigint) => Promise<void>]>([
  ["taken back", (userId) => desk.reset(mia, userId, { field: "avatar", note: "" })],
  ["deleted with all others", (userId) => desk.deleteImages(mia, userId, null)],
])("deletes a provider's picture that was %s, with its bytes, and does not import it again", async (how, act) => {
  const { user } = await world.login(`Shown ${how}`);
  expect(world.blobs.has(user.avatar_key)).toBe(true);
  await act(user.id);
  expect(world.blobs.has(user.avatar_key)).toBe(false);
  expect(await images(user.id)).toEqual([]);
  expect((await world.login(`Shown ${how}`)).user.avatar_key).toBe("");
});

test("does not import the provider's picture after the user's own was deleted", async () => {
  const lale = await world.painter("lale");
  const id = await lale.uploaded("#808080");
  await lale.call("userUpdate", { avatar: id });
  await world.review.decide("avatar", mia.userId, { id, operation: 1 });
  await desk.deleteImage(mia, lale.userId, { id, reasonId: null });
  expect((await world.login("lale")).user.avatar_key).toBe("");
});

test("still imports the provider's picture after a moderator cleared another field", async () => {
  const { user } = await world.login("Later Shown");
  await desk.reset(mia, user.id, { field: "about", note: "" });
  await world.database.db.updateTable("users").set({ avatar_key: "" }).where("id", "=", user.id).execute();
  expect((await world.login("Later Shown")).user.avatar_key).toBe(user.avatar_key);
});

test("keeps a removed provider's picture away when deleting its bytes fails, and deletes them later", async () => {
  const { user } = await world.login("Left Over");
  using _away = vi.spyOn(world.storage, "delete").mockRejectedValueOnce(new Error("storage is away"));
  await expect(desk.reset(mia, user.id, { field: "avatar", note: "" })).rejects.toThrow("storage is away");
  expect((await world.login("Left Over")).user.avatar_key).toBe("");
  await world.images.forgetStale();
  expect(world.blobs.has(user.avatar_key)).toBe(false);
  expect(await images(user.id)).toEqual([]);
});

test("does not show a picture that is removed during its import", async () => {
  const { user } = await world.login("In Between");
  const { db } = world.database;
  await db.updateTable("users").set({ avatar_key: "" }).where("id", "=", user.id).execute();
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  using put = vi.spyOn(world.storage, "put").mockReturnValueOnce(gate.then(() => user.avatar_key));
  const signingIn = world.login("In Between");
  await vi.waitFor(() => expect(put).toHaveBeenCalled(), { timeout: 5_000 });
  await desk.reset(mia, user.id, { field: "avatar", note: "" });
  goOn();
  expect((await signingIn).user.avatar_key).toBe("");
  await world.images.forgetStale();
  expect(await images(user.id)).toEqual([]);
});

test("deletes a picture that a slow bucket stores after its row was deleted", async () => {
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  using put = vi.spyOn(world.storage, "put").mockImplementationOnce(async (bytes, extension) => {
    await gate;
    return memoryBlobs(world.blobs).put(bytes, extension);
  });
  const signingIn = world.login("Slow Bucket");
  await vi.waitFor(() => expect(put).toHaveBeenCalled(), { timeout: 5_000 });
  world.clock.advance(3_000);
  const { user } = await signingIn;
  await world.images.forgetStale();
  expect([user.avatar_key, await images(user.id)]).toEqual(["", []]);
  const kept = world.blobs.size;
  goOn();
  await put.mock.results[0]?.value;
  await vi.waitFor(() => expect(world.blobs.size).toBe(kept), { timeout: 5_000 });
});

test("does not import a picture that only the browser names", async () => {
  const { nonce } = await world.sessions.prepare();
  const grant = await world.sandbox.grant("google", { name: "Silhouette", picture: "" }, nonce);
  const avatar = "/sandbox/identity/avatars/ana.svg";
  const { user } = await world.sessions.login({ login_type: 1, ...grant, avatar, source: 1, imei: "" }, callContext());
  expect(user.avatar_key).toBe("");
});
