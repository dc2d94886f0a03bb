import { expect, test } from "vitest";
import { whatFailed } from "./run-lanes.mjs";

test("shows the log of a failed lane from its first failure", () => {
  const vitest = " ✓ server a.test.ts\n\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  b\n";
  expect(whatFailed(vitest)).toBe("⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  b\n");
  expect(whatFailed("  ✓  1 [pages] › a\n\n  1) [pages] › b\n    Error")).toBe("  1) [pages] › b\n    Error");
  expect(whatFailed("error TS2322: no")).toBe("error TS2322: no");
});
