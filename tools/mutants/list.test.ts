import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brokenLines, machines } from "./list.ts";

const root = join(import.meta.dirname, "../..");

test("finds every broken line exactly once, and every file of the mutation test", () => {
  const files = brokenLines.flatMap(({ file, tests }) => [file, ...tests]);
  expect([...files, ...machines.map(({ file }) => file)].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  for (const { file, lines } of brokenLines) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [line] of Object.values(lines)) expect(text.split(line), `${file}: ${line}`).toHaveLength(2);
  }
});
