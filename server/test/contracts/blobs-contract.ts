import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Blobs } from "#ports/blobs.ts";

/** An adapter, over a storage that the test controls. */
export interface BlobsWorld extends AsyncDisposable {
  blobs: Blobs;
  /** Names of all objects in the storage, leftovers included. */
  stored(): Promise<readonly string[]>;
}

/** Contract of `Blobs`; `makeWorld` opens an empty storage for each test. */
export function blobsContract(name: string, makeWorld: () => Promise<BlobsWorld>): void {
  describe(`blobs: ${name}`, () => {
    let world: BlobsWorld;
    let blobs: Blobs;

    beforeEach(async () => {
      world = await makeWorld();
      ({ blobs } = world);
    });

    afterEach(async () => {
      await world[Symbol.asyncDispose]();
    });

    test("stores bytes under a key of hash and extension", async () => {
      const key = await blobs.put(Buffer.from("picture"), "webp");
      expect(key).toBe("2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97.webp");
      await expect(blobs.get(key)).resolves.toEqual(Buffer.from("picture"));
      const archive = await blobs.put(Buffer.from("picture"), "zip");
      expect(archive).toBe(key.replace("webp", "zip"));
      await expect(blobs.get(archive)).resolves.toEqual(Buffer.from("picture"));
    });

    test("returns arbitrary bytes unchanged, even megabytes", async () => {
      const bytes = Buffer.concat([Buffer.from([0, 13, 10, 255]), randomBytes(3_000_000)]);
      const back = await blobs.get(await blobs.put(bytes, "webp"));
      expect(back?.equals(bytes)).toBe(true);
    });

    test("stores equal concurrent bytes as one object without leftovers", async () => {
      const keys = await Promise.all(Array.from({ length: 8 }, () => blobs.put(Buffer.from("picture"), "webp")));
      expect(new Set(keys).size).toBe(1);
      expect(await world.stored()).toEqual([keys[0]]);
    });

    test("deletes an object, idempotently, and stores it again", async () => {
      const [key, other] = [await blobs.put(Buffer.from("one"), "webp"), await blobs.put(Buffer.from("two"), "zip")];
      await blobs.delete(key);
      await blobs.delete(key);
      await expect(blobs.get(key)).resolves.toBeNull();
      expect(await world.stored()).toEqual([other]);
      await expect(blobs.put(Buffer.from("one"), "webp")).resolves.toBe(key);
      await expect(blobs.get(key)).resolves.toEqual(Buffer.from("one"));
    });

    test.each([
      "",
      "../../../etc/passwd",
      "..%2f",
      `${"a".repeat(64)}.webp/../x`,
      `${"A".repeat(64)}.webp`,
      `${"a".repeat(64)}.png`,
      `${"a".repeat(63)}.webp`,
    ])("treats a malformed key as unknown, never as a path: %s", async (key) => {
      await blobs.put(Buffer.from("picture"), "webp");
      await expect(blobs.get(key)).resolves.toBeNull();
      await blobs.delete(key);
      expect(await world.stored()).toHaveLength(1);
    });

    test("returns null for an unknown key", async () => {
      await expect(blobs.get(`${"a".repeat(64)}.webp`)).resolves.toBeNull();
    });
  });
}
