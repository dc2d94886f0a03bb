import * as v from "valibot";
import { expect, test } from "vitest";
import { formChoice, formInteger, formText, formUserId } from "./form.ts";

test("[SIGN-25] an integer of a form is written plainly and lies in its range", () => {
  const schema = formInteger(-1, 10);
  expect(v.parse(schema, "7")).toBe(7);
  expect(v.parse(schema, "-1")).toBe(-1);
  for (const text of ["", " 7", "7.0", "1e1", "+7", "0x7", "--1", "11", "-2", "9".repeat(17), "٧"])
    expect([text, v.is(schema, text)]).toEqual([text, false]);
});

test("[SIGN-25] a choice is one of its numbers, a user id is positive and exact, a text has its length", () => {
  expect(v.parse(formChoice([0, 2]), "2")).toBe(2);
  expect(v.is(formChoice([0, 2]), "1")).toBe(false);
  expect(v.is(formUserId, "0")).toBe(false);
  expect(v.is(formUserId, String(Number.MAX_SAFE_INTEGER))).toBe(true);
  expect(v.is(formUserId, String(Number.MAX_SAFE_INTEGER + 1))).toBe(false);
  expect(v.is(formText(1, 3), "")).toBe(false);
  expect(v.is(formText(1, 3), "abcd")).toBe(false);
});
