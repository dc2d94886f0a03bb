import { expect, test } from "vitest";
import { typedDigits } from "#lib/digits.ts";

test("accepts digits of Arabic, Urdu, Hindi and Thai keyboards, and nothing else", () => {
  expect(typedDigits("٣٢٠٠", 9)).toBe("3200");
  expect(typedDigits("۳۲۰۰", 9)).toBe("3200");
  expect(typedDigits("३२००", 9)).toBe("3200");
  expect(typedDigits("๓๒๐๐", 9)).toBe("3200");
  expect(typedDigits("3,200 beans", 9)).toBe("3200");
  expect(typedDigits("123456", 4)).toBe("1234");
});
