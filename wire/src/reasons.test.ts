import { expect, test } from "vitest";
import { banReasonIds } from "./reasons.ts";

test("[BAN-3] ban reasons are numbered 1 to 8", () => {
  expect(banReasonIds).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
