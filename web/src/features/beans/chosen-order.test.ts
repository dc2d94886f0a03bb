import { expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { withdrawProblem } from "./chosen-order.ts";

test("shows the reason of each rejected withdrawal, and a missing response not as a rejection", () => {
  expect(withdrawProblem({ code: codes.refused, reason: "not_withdrawable" })).toBe("withdraw.gone");
  expect(withdrawProblem({ code: codes.refused, reason: "refund_failed" })).toBe("withdraw.refused");
  expect(withdrawProblem({ code: codes.slowDown, reason: "" })).toBe("withdraw.slow");
  expect(withdrawProblem({ code: 0, reason: "timeout" })).toBe("withdraw.silence");
  expect(withdrawProblem({ code: codes.serverError, reason: "" })).toBe("withdraw.silence");
});
