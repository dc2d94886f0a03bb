import { expect, test } from "vitest";
import { failureOf } from "#lib/media/media-failure.ts";

const both = { camera: true, microphone: true };

test.each([
  ["NotAllowedError", { reason: "denied" }],
  ["SecurityError", { reason: "denied" }],
  ["NotFoundError", { reason: "missing", camera: false, microphone: true }],
  ["OverconstrainedError", { reason: "missing", camera: false, microphone: true }],
  ["NotReadableError", { reason: "busy" }],
  ["AbortError", { reason: "busy" }],
])("translates the browser's %s", (name, failure) => {
  expect(failureOf(new DOMException("no", name), { camera: false, microphone: true })).toEqual(failure);
});

test("reports a page without media devices as unsupported, and a value that is no error as busy", () => {
  expect(failureOf(new TypeError("mediaDevices is undefined"), both)).toEqual({ reason: "unsupported", isOld: false });
  expect(failureOf("no", both)).toEqual({ reason: "busy" });
});
