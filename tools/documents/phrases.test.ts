import { expect, test } from "vitest";
import { countPhrases } from "./phrases.ts";

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
