import { afterAll, beforeAll, expect, test } from "vitest";
import { formatDuration } from "#lib/format.ts";
import { activateLanguage } from "#lib/i18n.ts";

beforeAll(() => activateLanguage("en"));
afterAll(() => activateLanguage("en"));

test("[BEANS-353] a span is told to the second while it is shorter than an hour", () => {
  expect([0, 45.9, 60, 626, 3_599, 3_600, 3_661, -4].map(formatDuration)).toEqual([
    "0 sec",
    "45 sec",
    "1 min",
    "10 min 26 sec",
    "59 min 59 sec",
    "1 hr",
    "1 hr 1 min",
    "0 sec",
  ]);
});
