import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { sessionWorld } from "#test/fixtures/session-world.ts";

test("keeps an imported picture while the same picture of another user is erased", async () => {
  const world = await sessionWorld();
  const { db } = world.database;
  const first = await world.login("Same Face");
  const key = first.user.avatar_key;
  await db.updateTable("users").set({ avatar_key: "" }).where("id", "=", first.user.id).execute();
  // Another user's equal picture is erased between the storing of the bytes and of the row.
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

test("waits with an import while the same picture of another user is erased", async () => {
  const world = await sessionWorld();
  const { db } = world.database;
  const first = await world.login("Same Face");
  const key = first.user.avatar_key;
  await db.updateTable("users").set({ avatar_key: "" }).where("id", "=", first.user.id).execute();
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  using delete_ = vi.spyOn(world.storage, "delete").mockImplementation(async (deleted) => {
    await gate;
    world.blobs.delete(deleted);
  });
  const erased = world.images.bytes.forget(key);
  await vi.waitFor(() => expect(delete_).toHaveBeenCalledWith(key), { timeout: 5_000 });
  const signedIn = world.login("Same Face");
  await vi.waitFor(
    async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      expect(rows).toHaveLength(1);
    },
    { timeout: 5_000 },
  );
  goOn();
  await erased;
  expect((await signedIn).user.avatar_key).toBe(key);
  expect(world.blobs.has(key)).toBe(true);
});
