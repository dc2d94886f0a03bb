import * as v from "valibot";
import { expect, test } from "vitest";
import { formChoice, formIds, formInteger, formText, formUserId } from "./form.ts";

test("an integer of a form is written plainly and lies in its range", () => {
  const schema = formInteger(-1, 10);
  expect(v.parse(schema, "7")).toBe(7);
  expect(v.parse(schema, "-1")).toBe(-1);
  for (const text of ["", " 7", "7.0", "1e1", "+7", "0x7", "--1", "11", "-2", "9".repeat(17), "٧"])
    expect([text, v.is(schema, text)]).toEqual([text, false]);
});

test("a choice is one of its numbers, a user id is positive and exact, a text has its length", () => {
  expect(v.parse(formChoice([0, 2]), "2")).toBe(2);
  expect(v.is(formChoice([0, 2]), "1")).toBe(false);
  expect(v.is(formUserId, "0")).toBe(false);
  expect(v.is(formUserId, String(Number.MAX_SAFE_INTEGER))).toBe(true);
  expect(v.is(formUserId, String(Number.MAX_SAFE_INTEGER + 1))).toBe(false);
  expect(v.is(formText(1, 3), "")).toBe(false);
  expect(v.is(formText(1, 3), "abcd")).toBe(false);
});

test("a list of ids has each once, in its range, and no more than it may", () => {
  const schema = formIds(62, 3);
  expect(v.parse(schema, "")).toEqual([]);
  expect(v.parse(schema, "7")).toEqual([7]);
  expect(v.parse(schema, "62,0,13")).toEqual([62, 0, 13]);
  for (const text of [
    ",",
    "1,",
    "1,,2",
    "1, 2",
    "1,1",
    "01,1",
    "63",
    "-1",
    "1.5",
    "1,2,3,4",
    "1;2",
    "1".repeat(40_000),
  ])
    expect([text.slice(0, 9), v.is(schema, text)]).toEqual([text.slice(0, 9), false]);
});
