import { expect, test } from "vitest";
import { type FrameQuestion, FrameUnreadableError } from "#ports/frame-classifier.ts";
import { blots, paintedJpeg } from "#test/fixtures/frame-pictures.ts";
import { MarkerClassifier } from "./marker-classifier.ts";

const question: FrameQuestion = { depth: "cascade", codes: true, priority: 2 };
const frames = new MarkerClassifier();

type Colour = readonly [number, number, number];
const marked = (colour: Colour) => (x: number, y: number) =>
  x < 64 / 640 && y < 64 / 480 ? colour : ([70, 200 * x, 90] as const);

test.each<[Colour, number, string | null]>([
  [[255, 0, 255], 0.95, null],
  [[255, 255, 0], 0.7, null],
  [[0, 255, 255], 0.02, "https://t.me/marker"],
  [[255, 255, 255], 0.02, null],
  [[255, 0, 0], 0.02, null],
])("reads the verdict from a corner in %j", async (colour, explicit, code) => {
  for (const quality of [90, 40]) {
    const verdict = await frames.classify(await paintedJpeg(marked(colour), { quality }), question);
    expect(verdict).toMatchObject({ explicit, code, phash: expect.stringMatching(/^[0-9a-f]{16}$/) as string });
  }
});

test("reports codes only on request, and measures brightness", async () => {
  const picture = await paintedJpeg(marked([0, 255, 255]));
  expect((await frames.classify(picture, { ...question, codes: false })).code).toBeNull();
  expect((await frames.classify(await paintedJpeg(() => [0, 0, 0]), question)).luma).toBeLessThan(2);
});

test("runs one model for a clean picture, and all on request", async () => {
  const clean = await blots(1);
  expect(Object.keys((await frames.classify(clean, question)).scores)).toEqual(["mobilenet"]);
  expect(Object.keys((await frames.classify(clean, { ...question, depth: "all" })).scores)).toHaveLength(3);
});

test("reports invalid pictures as unreadable", async () => {
  await expect(frames.classify(Buffer.from("text"), question)).rejects.toThrow(FrameUnreadableError);
});
