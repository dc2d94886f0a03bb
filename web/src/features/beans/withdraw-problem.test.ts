import { expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { problemOf } from "./WithdrawSheet.tsx";

test("[BEANS-366] each refusal of a withdrawal is told by its reason, and silence is not told as a refusal", () => {
  expect(problemOf({ code: codes.refused, reason: "not_withdrawable" })).toBe("withdraw.gone");
  expect(problemOf({ code: codes.refused, reason: "refund_failed" })).toBe("withdraw.refused");
  expect(problemOf({ code: codes.slowDown, reason: "" })).toBe("withdraw.slow");
  expect(problemOf({ code: 0, reason: "timeout" })).toBe("withdraw.silence");
  expect(problemOf({ code: codes.serverError, reason: "" })).toBe("withdraw.silence");
});
