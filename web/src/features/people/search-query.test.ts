import { expect, test } from "vitest";
import { changeQuery, firstQuery } from "./FindSheet.tsx";

test("starts with everybody from 18 to 65 and over", () => {
  expect(firstQuery).toMatchObject({ sex: 0, minAge: 18, maxAge: 65, country: 0 });
});

test("never lets the minimum age exceed the maximum", () => {
  const between = { ...firstQuery, minAge: 30, maxAge: 40 };
  expect(changeQuery(between, { minAge: 50 })).toMatchObject({ minAge: 50, maxAge: 50 });
  expect(changeQuery(between, { maxAge: 20 })).toMatchObject({ minAge: 20, maxAge: 20 });
  expect(changeQuery(between, { minAge: 35 })).toMatchObject({ minAge: 35, maxAge: 40 });
});
