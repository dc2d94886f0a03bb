import { expect, test } from "vitest";
import { isFar, lightOf, type PictureHint, sampleSize, steadyHint } from "./light-hint.ts";

/** A grey frame whose middle half differs from its edges. */
function frame(middle: number, edges = middle): Uint8ClampedArray {
  const { width, height } = sampleSize;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let index = 0; index < width * height; index += 1) {
    const isEdge = index % width < width / 4 || index % width >= (width * 3) / 4;
    pixels.fill(isEdge ? edges : middle, index * 4, index * 4 + 3);
  }
  return pixels;
}

test.each([
  { scene: "an evenly lit room", middle: 140, edges: 140, hint: "good" },
  { scene: "a dark face before a light wall", middle: 60, edges: 200, hint: "good" },
  { scene: "a light face before a dark wall", middle: 180, edges: 30, hint: "good" },
  { scene: "a dark room", middle: 30, edges: 30, hint: "dark" },
  { scene: "a person before a window", middle: 40, edges: 255, hint: "behind" },
])("judges $scene: $hint", ({ middle, edges, hint }) => {
  expect(lightOf(frame(middle, edges), null)).toBe(hint);
});

test("keeps a hint near its limit", () => {
  expect([null, "good", "dark"].map((shown) => lightOf(frame(55), shown as PictureHint))).toEqual([
    "good",
    "good",
    "dark",
  ]);
  expect(lightOf(frame(78, 255), "behind")).toBe("behind");
  expect(lightOf(frame(78, 255), "good")).toBe("good");
  expect([isFar(22, 100, "closer"), isFar(22, 100, "good"), isFar(15, 100, "good")]).toEqual([true, false, true]);
});

test("shows the first hint at once, and another one after two frames in a row", () => {
  const shownAfter = (reads: readonly PictureHint[]) =>
    reads.reduce(steadyHint, { shown: null, next: null } as ReturnType<typeof steadyHint>).shown;
  expect(shownAfter(["dark"])).toBe("dark");
  expect(shownAfter(["good", "dark"])).toBe("good");
  expect(shownAfter(["good", "dark", "good", "dark"])).toBe("good");
  expect(shownAfter(["good", "dark", "behind"])).toBe("good");
  expect(shownAfter(["good", "dark", "dark"])).toBe("dark");
});
