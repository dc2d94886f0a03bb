import * as v from "valibot";
import { expect, test } from "vitest";
import { formChoice, formIds, formInteger, formText, formUserId } from "./form.ts";

test("accepts an integer of a form only in plain digits and in its range", () => {
  const schema = formInteger(-1, 10);
  expect(v.parse(schema, "7")).toBe(7);
  expect(v.parse(schema, "-1")).toBe(-1);
  for (const text of ["", " 7", "7.0", "1e1", "+7", "0x7", "--1", "11", "-2", "9".repeat(17), "٧"])
    expect([text, v.is(schema, text)]).toEqual([text, false]);
});

test("checks the number of a choice, the sign and precision of a user id, and the length of a text", () => {
  expect(v.parse(formChoice([0, 2]), "2")).toBe(2);
  expect(v.is(formChoice([0, 2]), "1")).toBe(false);
  expect(v.is(formUserId, "0")).toBe(false);
  expect(v.is(formUserId, String(Number.MAX_SAFE_INTEGER))).toBe(true);
  expect(v.is(formUserId, String(Number.MAX_SAFE_INTEGER + 1))).toBe(false);
  expect(v.is(formText(1, 3), "")).toBe(false);
  expect(v.is(formText(1, 3), "abcd")).toBe(false);
});

test("accepts a list of distinct ids, in their range and up to the maximum", () => {
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
