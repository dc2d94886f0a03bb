import { expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { withdrawProblem } from "./chosen-order.ts";

test("each refusal of a withdrawal is told by its reason, and silence is not told as a refusal", () => {
  expect(withdrawProblem({ code: codes.refused, reason: "not_withdrawable" })).toBe("withdraw.gone");
  expect(withdrawProblem({ code: codes.refused, reason: "refund_failed" })).toBe("withdraw.refused");
  expect(withdrawProblem({ code: codes.slowDown, reason: "" })).toBe("withdraw.slow");
  expect(withdrawProblem({ code: 0, reason: "timeout" })).toBe("withdraw.silence");
  expect(withdrawProblem({ code: codes.serverError, reason: "" })).toBe("withdraw.silence");
});
