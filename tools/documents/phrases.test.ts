import { expect, test } from "vitest";
import { countPhrases, newPhrases } from "./phrases.ts";

test("counts phrases in comments, test names, logs and errors of a script", () => {
  const script = [
    "// Whoever calls pays.",
    "/** Waits so",
    " * long that it ends. */",
    'test("rings somebody", () => undefined);',
    'test.each([1])("begins anew %s", () => undefined);',
    "this.#options.logger.warn({ id }, `no room for so many ${people}`);",
    'this.#logger.error("failed to begin anew");',
    'throw new EndpointError("not any more");',
  ].join("\n");
  expect(countPhrases("a.ts", script)).toBe(7);
});

test("leaves code, data and words inside words alone", () => {
  const script = ['const somebody = "whoever";', 'say("somebody", renewed.anewer);', "// A renewed solong."].join("\n");
  expect(countPhrases("a.ts", script)).toBe(0);
});

test("counts the text of documents without code", () => {
  const document = ["Somebody calls `whoever`.", "```", "somebody", "```", "They bear it any", "more."].join("\n");
  expect(countPhrases("docs/a.md", document)).toBe(2);
});

test("counts comments of style sheets and the whole of other files", () => {
  expect(countPhrases("a.css", ".somebody { color: red; } /* anew */")).toBe(1);
  expect(countPhrases("a.sql", "-- so\n-- many\nselect 1;")).toBe(1);
});

test("names files with more phrases than their baseline, and new files with any", () => {
  const counts = new Map([
    ["old.ts", 2],
    ["worse.ts", 3],
    ["new.ts", 1],
    ["clean.ts", 0],
  ]);
  expect(newPhrases(counts, { "old.ts": 2, "worse.ts": 2 })).toEqual([
    { path: "worse.ts", count: 3, allowed: 2 },
    { path: "new.ts", count: 1, allowed: 0 },
  ]);
});
