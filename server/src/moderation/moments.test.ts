import { expect, test } from "vitest";
import { agreementOf } from "./case-service.ts";

test("computes how similar two pictures are from their hashes", () => {
  expect(agreementOf("ffffffffffffffff", "ffffffffffffffff")).toBe(1);
  expect(agreementOf("ffffffffffffffff", "0000000000000000")).toBe(0);
  expect(agreementOf("ffffffff00000000", "ffffffffffffffff")).toBe(0);
  expect(agreementOf("0000000000000001", "0000000000000000")).toBe(31 / 32);
  expect(agreementOf(null, "0000000000000000")).toBeNull();
});
