import { expect, test } from "vitest";
import type { Pixels } from "@fava/wire/picture-hash.ts";
import {
  chipEdgePx,
  chipOf,
  chipTransform,
  decodeFaces,
  faceInput,
  type FoundFace,
  largestFace,
  mirrored,
  smallerInput,
} from "./faces.ts";

const frame: Pixels = { width: 640, height: 480, data: new Uint8Array(640 * 480 * 3) };
const anchors = 896;
const rowLength = 17;

/** The model's answer with one face at the first anchor of a cell of the coarse layer. */
function answerWith({ cell, logit }: { cell: [number, number]; logit: number }): Float32Array {
  const rows = new Float32Array(anchors * rowLength).fill(0);
  for (let index = 0; index < anchors; index += 1) rows[index * rowLength] = -20;
  const at = (512 + (cell[1] * 8 + cell[0]) * 6) * rowLength;
  rows.set([logit, 0, 0, 64, 80, -10, -8, 10, -8], at);
  return rows;
}

test("places a face in the pixels of the frame, from the square of the model", () => {
  const input = faceInput(frame);
  const [found, ...others] = decodeFaces(answerWith({ cell: [3, 3], logit: 3 }), input, 0.5);
  expect(others).toEqual([]);
  // The cell's middle is at 112 of 256; a frame of 640 x 480 is 256 x 192 there, 32 below the top.
  expect(found).toMatchObject({ center: { x: 280, y: 200 }, width: 160, height: 200 });
  expect(found?.eyes).toEqual([
    { x: 255, y: 180 },
    { x: 305, y: 180 },
  ]);
  expect(found?.score).toBeCloseTo(0.953, 3);
  const [small] = decodeFaces(answerWith({ cell: [3, 3], logit: 3 }), smallerInput(input, frame), 0.5);
  expect(small?.width).toBe(480);
});

test("puts the frame into the middle of the square, and a third of it into the second", () => {
  const white = { ...frame, data: frame.data.map(() => 255) };
  const lit = (planes: Float32Array) => planes.reduce((sum, value) => sum + value, 0) / 3;
  const input = faceInput(white);
  expect(lit(input.planes)).toBe(256 * 192);
  expect(lit(smallerInput(input, white).planes)).toBe(85 * 64);
});

test("takes the largest of several faces, with its best candidate", () => {
  const face = (x: number, height: number, score: number): FoundFace => ({
    score,
    width: height,
    height,
    center: { x, y: 100 },
    eyes: [
      { x, y: 90 },
      { x: x + 10, y: 90 },
    ],
  });
  const faces = [face(100, 60, 0.99), face(400, 120, 0.8), face(405, 118, 0.9)];
  expect(largestFace(faces)).toBe(faces[2]);
  expect(largestFace([])).toBeNull();
});

/** A frame with one pixel block of colour at each eye, turned by some degrees around the middle between them. */
function eyesAt(degrees: number): { pixels: Pixels; eyes: FoundFace["eyes"] } {
  const angle = (degrees * Math.PI) / 180;
  const eye = (side: number) => ({ x: 320 + side * 60 * Math.cos(angle), y: 240 + side * 60 * Math.sin(angle) });
  const eyes: FoundFace["eyes"] = [eye(-1), eye(1)];
  const data = new Uint8Array(frame.data.length);
  for (const [plane, { x, y }] of eyes.entries()) {
    for (let row = -12; row <= 12; row += 1)
      for (let column = -12; column <= 12; column += 1)
        data[((Math.round(y) + row) * 640 + Math.round(x) + column) * 3 + plane] = 255;
  }
  return { pixels: { ...frame, data }, eyes };
}

/** The middle of what is lit in a plane of a chip. */
function middleOf(chip: Float32Array, plane: number): { x: number; y: number } {
  let [sum, x, y] = [0, 0, 0];
  for (let at = 0; at < chipEdgePx ** 2; at += 1) {
    const value = chip[plane * chipEdgePx ** 2 + at] ?? 0;
    sum += value;
    x += value * ((at % chipEdgePx) + 0.5);
    y += value * (Math.floor(at / chipEdgePx) + 0.5);
  }
  return { x: x / sum, y: y / sum };
}

test.each([0, 25, -40])("turns a face of %i degrees upright, with both eyes on dlib's places", (degrees) => {
  const { pixels, eyes } = eyesAt(degrees);
  const back = chipTransform(eyes);
  const chip = chipOf(pixels, { score: 1, width: 200, height: 200, center: { x: 320, y: 240 }, eyes });
  const [left, right] = [middleOf(chip, 0), middleOf(chip, 1)];
  expect(left.x).toBeCloseTo(19.5, 0);
  expect(right.x).toBeCloseTo(43.6, 0);
  for (const { y } of [left, right]) expect(y).toBeCloseTo(19.2, 0);
  expect(back({ x: 19.52, y: 19.24 }).x).toBeCloseTo(eyes[0].x, 0);
  const turned = mirrored(chip);
  expect(middleOf(turned, 0).x).toBeCloseTo(chipEdgePx - left.x, 3);
  expect(mirrored(turned)).toEqual(chip);
});

test("fills the chip with black beyond the edge of the frame", () => {
  const white = { ...frame, data: frame.data.map(() => 255) };
  const eyes: FoundFace["eyes"] = [
    { x: 5, y: 5 },
    { x: 65, y: 5 },
  ];
  const chip = chipOf(white, { score: 1, width: 100, height: 100, center: { x: 35, y: 30 }, eyes });
  expect([chip[0], chip[40 * chipEdgePx + 40]]).toEqual([0, 1]);
});
