import { beforeAll, expect, test } from "vitest";
import { formatSize } from "#lib/format-units.ts";
import { activateLanguage } from "#lib/i18n.ts";

beforeAll(() => activateLanguage("en"));

test("writes sizes in the largest unit that is not below one", () => {
  expect([8 * 1_048_576, 4_404_019, 655_360, 0].map(formatSize)).toEqual(["8 MB", "4.2 MB", "640 kB", "0 byte"]);
});
