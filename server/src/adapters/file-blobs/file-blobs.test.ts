import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { leftovers } from "#testing/leftovers.ts";
import { FileBlobs } from "./file-blobs.ts";

let directory: string;
let blobs: FileBlobs;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "fava-blobs-"));
  blobs = new FileBlobs(directory);
  const made = directory;
  leftovers.push({ [Symbol.asyncDispose]: () => rm(made, { recursive: true }) });
});

test("bytes come back under a key that is their hash", async () => {
  const key = await blobs.put(Buffer.from("picture"), "webp");
  expect(key).toBe("2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97.webp");
  await expect(blobs.get(key)).resolves.toEqual(Buffer.from("picture"));
});

test("storing the same bytes at the same time is one object and leaves nothing aside", async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => blobs.put(Buffer.from("picture"), "webp")));
  expect(new Set(keys).size).toBe(1);
  const files = await readdir(directory, { recursive: true });
  expect(files.filter((file) => file.includes("."))).toHaveLength(1);
});

test.each([
  "",
  "../../../etc/passwd",
  "..%2f",
  `${"a".repeat(64)}.webp/../x`,
  `${"A".repeat(64)}.webp`,
  `${"a".repeat(64)}.png`,
])("a key of another shape is nothing, never a path: %s", async (key) => {
  await expect(blobs.get(key)).resolves.toBeNull();
});

test("a key that was never stored is nothing", async () => {
  await expect(blobs.get(`${"a".repeat(64)}.webp`)).resolves.toBeNull();
});
