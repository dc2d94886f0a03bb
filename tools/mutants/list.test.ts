import { join } from "node:path";
import { expect, test } from "vitest";
import { mutants, problemsOf } from "./list.ts";

const root = join(import.meta.dirname, "../..");

test("every line that is broken on purpose stands once where it is said to, with tests that are there", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(60);
  expect(mutants.flatMap((mutant) => problemsOf(mutant, root))).toEqual([]);
});
