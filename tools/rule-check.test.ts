import { expect, test } from "vitest";
import { ruleProblems } from "./rule-check.ts";

// Made from parts, since the check of the project reads this file as well.
const one = ["MADEUP", 1].join("-");
const two = ["MADEUP", 2].join("-");
const three = ["MADEUP", 3].join("-");

const page = (text: string) => [{ path: "docs/rules/made-up.md", text }];
const testOf = (...ids: string[]) => ({
  path: "server/src/a.test.ts",
  text: `test("[${ids.join(", ")}] keeps it", f);`,
});

test("accepts rules that each have a test, in one name or several", () => {
  const pages = page(`- Keeps one. [${one}]\n- Keeps the others. [${two}, ${three}]`);
  expect(ruleProblems(pages, [testOf(one, two), testOf(three)])).toEqual([]);
});

test("names a rule without a test", () => {
  const notInTheName = { path: "server/src/a.test.ts", text: `// ${one}\ntest("keeps it (${one})", f);` };
  const notATest = { path: "server/src/a.ts", text: `const name = "[${one}] keeps it";` };
  expect(ruleProblems(page(`Keeps it. [${one}]`), [notInTheName, notATest])).toEqual([
    `${one} has no test with its id in the name`,
  ]);
});

test("names a rule that stands twice", () => {
  const pages = [...page(`Keeps it. [${one}]`), ...page(`Keeps it elsewhere. [${one}]`)];
  expect(ruleProblems(pages, [testOf(one)])).toEqual([`${one} stands twice in docs/rules`]);
});

test("names an id of a test that is no rule, also with an unknown prefix", () => {
  const other = ["OTHER", 1].join("-");
  expect(ruleProblems(page(`Keeps it. [${one}]`), [testOf(one, two, other)])).toEqual([
    `server/src/a.test.ts names ${two}, which is no rule`,
    `server/src/a.test.ts names ${other}, which is no rule`,
  ]);
});

test("names an id of a comment or document that is no rule", () => {
  const comment = { path: "server/src/a.ts", text: `/** Keeps it (rules ${one},\n * ${two} and ${three}). */` };
  const document = { path: "docs/testing.md", text: `As ${two} says.` };
  expect(ruleProblems(page(`Keeps it. [${one}]`), [testOf(one), comment, document])).toEqual([
    `docs/testing.md names ${two}, which is no rule`,
    `server/src/a.ts names ${two}, which is no rule`,
    `server/src/a.ts names ${three}, which is no rule`,
  ]);
});

test("names a rule of a comment whose prefix is on no page", () => {
  const source = { path: "web/src/a.ts", text: `/** Keeps it (rule\n * ${["OTHER", 1].join("-")}). */` };
  expect(ruleProblems(page(`Keeps it. [${one}]`), [testOf(one), source])).toEqual([
    `web/src/a.ts names ${["OTHER", 1].join("-")}, which is no rule`,
  ]);
});

test("ignores ids of other prefixes outside of test names", () => {
  const source = { path: "server/src/a.ts", text: "// Hashed with SHA-256, read as UTF-8." };
  expect(ruleProblems(page(`Keeps it. [${one}]`), [testOf(one), source])).toEqual([]);
});
