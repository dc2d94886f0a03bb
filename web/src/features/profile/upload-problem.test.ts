import { expect, test } from "vitest";
import { CallFailure } from "#lib/api/call-failure.ts";
import { PictureError } from "./picture-file.ts";
import { uploadProblemOf } from "./upload-problem.ts";

test.each([
  [new PictureError("not-image"), "not-image"],
  [new CallFailure({ code: 406, reason: "image_unreadable" }), "unreadable"],
  [new CallFailure({ code: 406, reason: "too_many" }), "full"],
  [new CallFailure({ code: 413, reason: "" }), "too-large"],
  [new CallFailure({ code: 429, reason: "" }), "too-often"],
  [new CallFailure({ code: 0, reason: "network" }), "failed"],
  [new CallFailure({ code: 0, reason: "aborted" }), null],
])("[USER-53] %s is told as %s", (error, problem) => {
  expect(uploadProblemOf(error)).toBe(problem);
});

test("a fault of our own is not told as a bad picture", () => {
  expect(() => uploadProblemOf(new TypeError("ours"))).toThrow("ours");
});
