import { join } from "node:path";
import { expect, test } from "vitest";
import { deadReferences } from "./references.ts";

const root = join(import.meta.dirname, "../..");
const sources = '{ name: "fava_calls_total" } { name: "fava_call_seconds" }';

test("names files and metrics that do not exist", () => {
  const text = "See `tools/gone.ts`, `tools/documents.ts` and `rate(fava_gone_total[1d])`.";
  expect(deadReferences(root, { path: "docs/a.md", text, sources })).toEqual([
    "docs/a.md: tools/gone.ts does not exist",
    "docs/a.md: fava_gone_total does not exist",
  ]);
});

test("accepts parts of histograms, patterns, folders and words that are no paths", () => {
  const text =
    "`fava_calls_total` `rate(fava_call_seconds_bucket[7d])` `server/**/*.test.ts` `tools/` `a/b` `web/src/PATH`";
  expect(deadReferences(root, { path: "docs/a.md", text, sources })).toEqual([]);
});
