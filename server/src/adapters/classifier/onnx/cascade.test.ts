import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { frameModels, type FrameScores } from "#ports/frame-classifier.ts";
import { cascadeThresholdsDefault, meanExplicit, nextModel, type Scores } from "./frame-messages.ts";

const scored = (explicit: number): FrameScores => ({
  drawing: 0,
  hentai: explicit / 4,
  neutral: 1 - explicit,
  porn: (explicit * 3) / 4,
  sexy: 0,
});

/** Runs models with these results until no more are needed. */
function run(answers: readonly [number, number, number], depth: "cascade" | "all"): Scores {
  let scores: Scores = {};
  for (;;) {
    const model = nextModel(scores, depth, cascadeThresholdsDefault);
    if (model === null) return scores;
    scores = { ...scores, [model]: scored(answers[frameModels.indexOf(model)] ?? 0) };
  }
}

test.each<[readonly [number, number, number], number]>([
  [[0.39, 1, 1], 1],
  [[0.4, 0.29, 1], 2],
  [[0.4, 0.31, 0], 3],
  [[0.9, 0.9, 0.9], 3],
])("stops with results of %j after %i models", (answers, count) => {
  expect(Object.keys(run(answers, "cascade"))).toEqual(frameModels.slice(0, count));
});

const share = fc.double({ min: 0, max: 1, noNaN: true });

test("finds every mean of 0.6 or more over all three models if the first is unsure", () => {
  /** The mean of all three models for a picture that passed after two of them. */
  const passed = (answers: readonly [number, number, number]) => {
    const asked = run(answers, "cascade");
    return asked.mid && !asked.inception ? meanExplicit(run(answers, "all")) : 0;
  };
  expect(passed([0.4, 0.2, 1])).toBeGreaterThan(0.5);
  const { counterexample } = fc.check(fc.property(fc.tuple(share, share, share), (answers) => passed(answers) < 0.6));
  expect(counterexample).toBeNull();
});

test("runs every model on request, whatever the first results", () => {
  fc.assert(
    fc.property(fc.tuple(share, share, share), (answers) => {
      const scores = run(answers, "all");
      expect(Object.keys(scores)).toEqual([...frameModels]);
      expect(meanExplicit(scores)).toBeCloseTo((answers[0] + answers[1] + answers[2]) / 3);
    }),
    fuzz(100),
  );
});
