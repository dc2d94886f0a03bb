import { expect, test } from "vitest";
import { moneyProblems } from "./money-scan.ts";

const whats = (source: string) => moneyProblems(source).map(({ what }) => what);

test.each([
  ["const minor = parseFloat(text);", "parseFloat"],
  ["const minor = Number.parseFloat(text);", "parseFloat"],
  ["const shown = amount.toFixed(2);", "toFixed"],
  ["const shown = amount.toPrecision(3);", "toPrecision"],
  ["const minor = Math.round(amount);", "Math.round"],
  ["const minor = Math.ceil(amount);", "Math.ceil"],
  ["const minor = Math.floor(amount);", "Math.floor"],
  ["const cost = Math.ceil(price * usedMs);", "Math.ceil"],
  ["const cost = Math.ceil(usedMs(state) * price);", "Math.ceil"],
  ["const costs = amounts.map(Math.round);", "Math.round"],
  ["const amount = Number(row.beans);", "Number(...)"],
  ["const amounts = texts.map(Number);", "Number(...)"],
  ["const amount = +row.beans;", "a unary plus"],
  ["send(+ beans);", "a unary plus"],
  ["const fee = amount * 3;", "* with a number literal"],
  ["const major = amount / 100;", "/ with a number literal"],
  ["const major = total() / 100;", "/ with a number literal"],
  ["amount *= 2;", "*= with a number literal"],
  ["const rest = amount % 7;", "% with a number literal"],
  ["const minor = 100 * money;", "* with a number literal"],
  ["const half = 1 / 2;", "/ with a number literal"],
  ["const price = 9.99;", "the fraction 9.99"],
  ["const much = 1e9;", "the fraction 1e9"],
  ["const text = `${amount / 100}`;", "/ with a number literal"],
  ["const text = `a ${`b ${amount / 100} }`} c`;", "/ with a number literal"],
  ["sql`select amount::float8 from bean_entries`", "floating point in SQL"],
])("[BEANS-132] rejects money in floating point: %s", (source, what) => {
  expect(whats(source)).toEqual([what]);
});

test.each([
  "const up = (price * seconds + 59n) / 60n;",
  "const sum = amount + 1n;",
  "const next = page + 1;",
  String.raw`const pattern = /amount \/ 100/g; // parseFloat`,
  'const text = "amount / 100 .toFixed(2)"; /* Math.round(1.5) */',
  "const text = `price / 100 and 9.99`;",
  "const limit = Number.MAX_SAFE_INTEGER;",
  "const passed = elapsedMs / 1_000;",
  "const shown = Math.round(state.freeMs - usedMs(state, price));",
  "const second = Math.floor(elapsedMs / 1_000);",
  "const waitsMs = [15 * 60_000, 24 * 60 * minuteMs];",
  "const second = Math.floor(now() / 1_000); // not money: a timestamp in seconds",
  "// not money: a timestamp in seconds\nconst second = Math.floor(now() / 1_000);",
  "const hex = 0xfe;",
])("[BEANS-132] accepts integers, words and stated exceptions: %s", (source) => {
  expect(whats(source)).toEqual([]);
});

test("[BEANS-132] names the line of the fault after templates and comments of several lines", () => {
  const source = "/* one\ntwo */\nconst text = `three\nfour ${five} six\nseven`;\nconst minor = money * 100;\n";
  expect(moneyProblems(source)).toEqual([{ line: 6, what: "* with a number literal" }]);
});

test("[BEANS-132] requires a reason behind an exception", () => {
  expect(whats("const second = now() / 1_000; // not money:")).toEqual(["/ with a number literal"]);
});
