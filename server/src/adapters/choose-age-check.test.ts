import { pino } from "pino";
import { expect, test } from "vitest";
import { readConfig } from "#config.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { chooseAgeCheck } from "./open.ts";

function chosen(environment: Record<string, string>, isProduction = false) {
  const { settings, ...config } = readConfig(environment);
  const mode = isProduction ? "production" : "development";
  const parts = { clock: new TestClock(), random: seededRandom(1), logger: pino({ level: "silent" }) };
  const chosen = chooseAgeCheck({ ...config, settings: { ...settings, mode } }, parts);
  if (chosen.sandbox) leftovers.push(chosen.sandbox);
  return chosen;
}

const yoti = { YOTI_SDK_ID: "id", YOTI_API_KEY: "key" };

test("checks ages by the sandbox in development alone, and by a configured vendor everywhere", () => {
  const { vendor, sandbox } = chosen({});
  expect(vendor).toBe(sandbox);
  expect(chosen({}, true)).toEqual({ vendor: null, sandbox: null });
  for (const isProduction of [false, true])
    expect(chosen(yoti, isProduction)).toMatchObject({ vendor: { id: "yoti", name: "Yoti" }, sandbox: null });
});
