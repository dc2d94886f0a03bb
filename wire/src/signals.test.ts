import { expect, test } from "vitest";
import * as v from "valibot";
import { descriptionLengthMax, descriptionLineEndsMax } from "./limits.ts";
import { descriptionSchema } from "./signals.ts";

test.each(["\r\n", "\n", "\r"])("accepts as many lines as a browser makes, ended by %j", (end) => {
  const lines = descriptionLineEndsMax / end.length;
  expect(v.is(descriptionSchema, `v=0${end}`.repeat(lines))).toBe(true);
  expect(v.is(descriptionSchema, `v=0${end}`.repeat(lines + 1))).toBe(false);
  expect(v.is(descriptionSchema, end.repeat(descriptionLengthMax / end.length))).toBe(false);
});

test("rejects an empty description, and one longer than browsers make", () => {
  expect(v.is(descriptionSchema, "v=0")).toBe(true);
  expect(v.is(descriptionSchema, "")).toBe(false);
  expect(v.is(descriptionSchema, "v".repeat(descriptionLengthMax + 1))).toBe(false);
});
