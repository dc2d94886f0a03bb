import { expect, test } from "vitest";
import { limitFactNames } from "./operator-facts.ts";

const files = import.meta.glob<string>("../../../../content/*/*.md", { eager: true, query: "?raw", import: "default" });
const operator = ["company", "email", "address", "year"];

test.each(Object.entries(files))("names only known facts in %s", (path, source) => {
  const known = new Set([...operator, ...limitFactNames, ...(path.endsWith("/safety.md") ? ["number"] : [])]);
  const named = Array.from(source.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("uses every fact", () => {
  const all = Object.values(files).join("");
  expect(limitFactNames.filter((name) => !all.includes(`{${name}}`))).toEqual([]);
});
