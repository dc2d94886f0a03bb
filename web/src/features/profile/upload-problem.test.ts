import { beforeAll, expect, test } from "vitest";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { activateLanguage, loadLazyTexts, t } from "#lib/i18n.ts";
import { PhotoError } from "./photo-file.ts";
import { type UploadProblem, uploadProblemOf, uploadProblemText } from "./use-upload.ts";

beforeAll(async () => {
  await activateLanguage("en");
  await loadLazyTexts();
});

test.each<[Error, UploadProblem | null]>([
  [new PhotoError("not-image"), { kind: "not-image" }],
  [new RequestFailure({ code: 406, reason: "image_unreadable" }), { kind: "unreadable" }],
  [new RequestFailure({ code: 406, reason: "too_many" }), { kind: "full" }],
  [new RequestFailure({ code: 413, reason: "" }), { kind: "too-large" }],
  [new RequestFailure({ code: 429, reason: "", data: { retry_after: 5 } }), { kind: "too-often", waitSeconds: 5 }],
  [new RequestFailure({ code: 0, reason: "network" }), { kind: "failed" }],
  [new RequestFailure({ code: 0, reason: "aborted" }), null],
])("reports %s as %s", (error, problem) => {
  expect(uploadProblemOf(error)).toEqual(problem);
});

test.each([
  [5, "5 sec"],
  [61, "2 min"],
  [3_600, "1 hr"],
])("shows how long to wait after an upload refused for %i s", (waitSeconds, time) => {
  expect(uploadProblemText(t, { kind: "too-often", waitSeconds })).toBe(
    `That’s a lot of pictures. Try again in ${time}.`,
  );
});

test("does not report a bug as a bad image", () => {
  expect(() => uploadProblemOf(new TypeError("ours"))).toThrow("ours");
});
