import { pino } from "pino";
import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { chooseClassifier } from "./open.ts";
import { readConfig } from "#config.ts";

const parts = { clock: new TestClock(), random: seededRandom(1), logger: pino({ level: "silent" }) };

function chosen(environment: Record<string, string>) {
  return chooseClassifier(readConfig(environment), parts);
}

test("[SAFE-111] classifies nothing when switched off, and reads the verdict from the frame in tests", () => {
  expect(chosen({ MODERATION: "off" })).toBeNull();
  expect(chosen({ MODERATION: "marker" })?.engine).toBe("marker");
});

test("[SAFE-111] uses the models once they are ready", async () => {
  await using classifier = chosen({});
  expect(classifier).toMatchObject({ engine: "onnx-native", model: expect.stringMatching(/^nsfwjs \d/) as string });
  expect(classifier?.isReady()).toBe(false);
});

test("[SAFE-111] rejects the test classifier in production, whatever the settings", () => {
  const config = readConfig({ MODERATION: "marker" });
  const settings = { ...config.settings, mode: "production" as const };
  expect(() => chooseClassifier({ ...config, settings }, parts)).toThrow(/production/);
});
