import { expect, test, vi } from "vitest";
import { sessionWorld } from "#test/fixtures/session-world.ts";

test("[DATA-150] a picture taken over at a sign-in stays, although the same picture of somebody else is erased meanwhile", async () => {
  const world = await sessionWorld();
  const { db } = world.database;
  const first = await world.login("Same Face");
  const key = first.user.avatar_key;
  await db.updateTable("users").set({ avatar_key: "" }).where("id", "=", first.user.id).execute();
  // The bytes are stored, and their row not written yet: now the other's are erased.
  const stores = vi.spyOn(world.blobs, "set");
  let erased: Promise<void> | undefined;
  stores.mockImplementationOnce((storedKey, bytes) => {
    stores.mockRestore();
    world.blobs.set(storedKey, bytes);
    erased = world.images.bytes.forget(key);
    return world.blobs;
  });
  const delete_ = vi.spyOn(world.blobs, "delete");
  const { user } = await world.login("Same Face");
  await erased;
  expect(erased).toBeDefined();
  expect(user.avatar_key).toBe(key);
  expect(delete_).not.toHaveBeenCalled();
  expect(world.blobs.has(key)).toBe(true);
});
