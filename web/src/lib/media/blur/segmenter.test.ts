import { expect, test } from "vitest";
import { newSegmenter } from "./segmenter.ts";
import model from "./selfie-landscape.tflite?inline";
import { operatorCodes, readModel } from "./tflite.ts";

const bytes = Uint8Array.from(atob(model.slice(model.indexOf(",") + 1)), (character) => character.charCodeAt(0));
const readFile = () => readModel(bytes.buffer);

/** A face-coloured disc over blue shoulders, before a wall. */
function drawPerson(picture: Float64Array, { width, height }: { width: number; height: number }): void {
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const isHead = (x - 128) ** 2 + (y - 50) ** 2 < 28 ** 2;
      const isBody = ((x - 128) / 60) ** 2 + ((y - 150) / 70) ** 2 < 1;
      const wall = [0.1 + (0.3 * x) / width, 0.4, 0.1 + (0.4 * y) / height];
      picture.set(isHead ? [0.85, 0.65, 0.55] : isBody ? [0.2, 0.3, 0.7] : wall, 3 * (y * width + x));
    }
}

test("finds a drawn person as onnxruntime does with the same model", () => {
  const size = { width: 256, height: 144 };
  const segmenter = newSegmenter(readFile(), size);
  drawPerson(segmenter.picture, size);
  segmenter.run();
  const mean = segmenter.mask.reduce((sum, value) => sum + value, 0) / segmenter.mask.length;
  expect(mean).toBeCloseTo(0.22478, 4);
  const at = (x: number, y: number) => segmenter.mask[y * size.width + x];
  expect([at(128, 50), at(20, 20), at(60, 130)].map((value) => Math.round(value ?? -1))).toEqual([1, 0, 0]);
  expect(at(100, 100)).toBeCloseTo(0.9868, 3);
});

test("computes the same mask again for the same picture", () => {
  const size = { width: 128, height: 96 };
  const segmenter = newSegmenter(readFile(), size);
  segmenter.picture.fill(0.4);
  segmenter.run();
  const first = segmenter.mask.slice();
  segmenter.run();
  expect(segmenter.mask).toEqual(first);
  expect(first).toHaveLength(size.width * size.height);
});

test("rejects a model with an operator that it does not know", () => {
  const { operators, ...rest } = readFile();
  const changed = operators.map((one) => (one.code === operatorCodes.mean ? { ...one, code: 99 } : one));
  expect(() => newSegmenter({ ...rest, operators: changed }, { width: 128, height: 96 })).toThrow(
    "unknown operator 99",
  );
});
