import { expect, test } from "vitest";
import { limitFactNames } from "./operator-facts.ts";

const files = import.meta.glob<string>("../../../../content/*/*.md", { eager: true, query: "?raw", import: "default" });
const operator = ["company", "email", "address", "year"];

test.each(Object.entries(files))("%s names only facts that the pages fill in", (path, source) => {
  const known = new Set([...operator, ...limitFactNames, ...(path.endsWith("/safety.md") ? ["number"] : [])]);
  const named = Array.from(source.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("every fact is named somewhere", () => {
  const all = Object.values(files).join("");
  expect(limitFactNames.filter((name) => !all.includes(`{${name}}`))).toEqual([]);
});
