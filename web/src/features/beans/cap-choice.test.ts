import { expect, test } from "vitest";
import { spendingCapBeansMax } from "@fava/wire/limits.ts";
import { capBeans, capChange, typedCap } from "./CapSheet.tsx";

test("applies a lower cap at once, a higher one or none after a day", () => {
  const cap = { beans: 40_000, pending: null };
  expect(capChange(cap, 20_000)).toBe("at-once");
  expect(capChange(cap, 0)).toBe("at-once");
  expect(capChange(cap, 40_001)).toBe("later");
  expect(capChange(cap, null)).toBe("later");
  expect(capChange(cap, 40_000)).toBe("same");
  expect(capChange({ beans: null, pending: null }, 40_000)).toBe("at-once");
  expect(capChange({ beans: null, pending: null }, null)).toBe("same");
  expect(capChange(cap, undefined)).toBe("wrong");
});

test("cancels a pending raise by requesting the current cap, and changes nothing for the same raise", () => {
  const cap = { beans: 40_000, pending: { beans: null, from: 1 } };
  expect(capChange(cap, 40_000)).toBe("keep");
  expect(capChange(cap, null)).toBe("same");
  expect(capChange(cap, 50_000)).toBe("later");
});

test("accepts a whole number of beans in range, in any digits", () => {
  const typed = (text: string) => capBeans(typedCap(text));
  expect(["0", "40,000", "40 000", "٤٠٬٠٠٠"].map(typed)).toEqual([0, 40_000, 40_000, 40_000]);
  expect(typed(String(spendingCapBeansMax))).toBe(spendingCapBeansMax);
  expect([String(spendingCapBeansMax + 1), "", "all"].map(typed)).toEqual([null, null, null]);
});
