import { expect, test } from "vitest";
import { banReasonDefault, banReasonIds } from "./reasons.ts";

test("[BAN-3] ban reasons are numbered 1 to 8, and an unknown one is Incorrect content", () => {
  expect(banReasonIds).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(banReasonDefault).toBe("Incorrect content");
});
