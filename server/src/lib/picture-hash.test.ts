import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { blots, framePictures, mirroredBlots } from "#test/fixtures/frame-pictures.ts";
import { hashDistance, isDistinctive, mirroredHash } from "@fava/wire/picture-hash.ts";
import { measure, readPixels } from "./picture-pixels.ts";

const hashOf = async (picture: Buffer) => measure(await readPixels(picture)).phash;

let picture: Buffer;
let hash: string;

beforeAll(async () => {
  picture = await blots(1);
  hash = await hashOf(picture);
});

test.each([
  ["compressed harder", () => sharp(picture).jpeg({ quality: 30 })],
  ["as WebP", () => sharp(picture).webp({ quality: 60 })],
  ["half the size", () => sharp(picture).resize(160).jpeg()],
  ["grey", () => sharp(picture).greyscale().jpeg()],
  ["brighter", () => sharp(picture).modulate({ brightness: 1.2 }).jpeg()],
  ["without its outermost pixels", () => sharp(picture).extract({ left: 3, top: 2, width: 314, height: 236 }).jpeg()],
])("recognizes a picture that is %s", async (_how, change) => {
  expect(hashDistance(await hashOf(await change().toBuffer()), hash)).toBeLessThanOrEqual(8);
});

test("tells different pictures apart, also mirrored ones", async () => {
  const others = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => hashOf(await blots(index + 2, { width: 160, height: 120 }))),
  );
  for (const other of others) {
    expect(hashDistance(other, hash)).toBeGreaterThan(14);
    expect(hashDistance(mirroredHash(other), hash)).toBeGreaterThan(14);
  }
});

test("recognizes a mirror image by its hash alone", async () => {
  const seen = await hashOf(await mirroredBlots(1));
  expect(hashDistance(seen, hash)).toBeGreaterThan(14);
  expect(hashDistance(seen, mirroredHash(hash))).toBeLessThanOrEqual(8);
  expect(mirroredHash(mirroredHash(hash))).toBe(hash);
});

test("gives all flat pictures the same hash, which does not identify them", async () => {
  const flat = await hashOf(await framePictures.grey());
  expect(isDistinctive(hash)).toBe(true);
  expect(isDistinctive(flat)).toBe(false);
  const black = sharp({ create: { width: 640, height: 480, channels: 3, background: "#000" } });
  expect(hashDistance(flat, await hashOf(await black.jpeg().toBuffer()))).toBe(0);
});
