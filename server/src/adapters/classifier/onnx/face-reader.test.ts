import { beforeAll, expect, test } from "vitest";
import type { Pixels } from "@fava/wire/picture-hash.ts";
import { readPixels } from "#lib/picture-pixels.ts";
import { faceColour, framePictures, paintedJpeg } from "#test/fixtures/frame-pictures.ts";
import { loadEngine, type Network } from "./engine.ts";
import { FaceReader } from "./face-reader.ts";
import { modelFiles, readModel } from "./frame-models.ts";

/** How much 16-bit weights may change a probability. */
const tolerance = 0.005;
let age: Network;
let reader: FaceReader;

beforeAll(async () => {
  const engine = await loadEngine(["onnx-native"]);
  const open = async (model: "blazeface" | "dlib-age") => engine.open(await readModel(model), modelFiles[model].edgePx);
  age = await open("dlib-age");
  reader = new FaceReader(await open("blazeface"), age);
});

/** A frame with a drawn face of this share of the height. */
async function drawn(size: number, width = 640, height = 480): Promise<Pixels> {
  const at = { x: 0.66, y: 0.5, size };
  return readPixels(await paintedJpeg((x, y) => faceColour((x * 4) / 3, y, at) ?? [90, 110, 130], { width, height }));
}

/** What the packages' own files with 32-bit weights say of these frames: best score, and the mean of chip and mirror. */
const golden = [
  { size: 0.4, presence: 0.9394, years: 24.115, under18: 0.0198 },
  { size: 0.6, presence: 0.8053, years: 24.599, under18: 0.0018 },
  { size: 0.9, presence: 0.8875, years: 22.253, under18: 0.0343 },
] as const;

test.each(golden)("estimates a drawn face of $size of the height as the original files do", async (expected) => {
  const { presence, face } = await reader.read(await drawn(expected.size));
  expect(Math.abs(presence - expected.presence)).toBeLessThan(tolerance);
  expect(Math.abs((face?.under18 ?? 1) - expected.under18)).toBeLessThan(tolerance);
  expect(Math.abs((face?.years ?? 0) - expected.years)).toBeLessThan(0.1);
  expect(face?.luma).toBeGreaterThan(100);
});

test("gives the probabilities of 81 ages", async () => {
  const shares = await age.judge(Float32Array.from({ length: 3 * 64 * 64 }, (_, at) => (at % 64) / 63));
  expect(shares).toHaveLength(81);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3);
});

test("estimates no age of a face below a quarter of the height, and finds it all the same", async () => {
  const { presence, face } = await reader.read(await drawn(0.22));
  expect(presence).toBeGreaterThan(0.75);
  expect(face).toBeNull();
});

test.each(Object.keys(framePictures) as (keyof typeof framePictures)[])(
  "finds nobody in the picture `%s`",
  async (name) => {
    const { presence, face } = await reader.read(await readPixels(await framePictures[name]()));
    expect(presence).toBeLessThan(0.5);
    expect(face).toBeNull();
  },
);

test.each([
  [1, 1],
  [2_000, 1],
  [1, 900],
])("reads a picture of %i x %i", async (width, height) => {
  const pixels = { width, height, data: new Uint8Array(width * height * 3).fill(120) };
  expect(await reader.read(pixels)).toMatchObject({ face: null });
});

test("reads a picture with 10,000 drawn faces within 2 s of processor time", async () => {
  const at = { x: 0.5, y: 0.5, size: 0.85 };
  const many = await paintedJpeg((x, y) => faceColour((x * 100) % 1, (y * 100) % 1, at) ?? [90, 110, 130], {
    width: 1_600,
    height: 1_200,
  });
  const pixels = await readPixels(many);
  const before = process.cpuUsage();
  await reader.read(pixels);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(2_000);
});
