import { expect, test } from "vitest";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { isOverlayOpen } from "#lib/overlays.ts";
import { offerRestore } from "./sign-in.ts";

const failure = (data: object) => new RequestFailure({ code: 403, reason: "account_deleted", data });

test("asks nothing for another rejection of a sign-in", () => {
  expect(offerRestore(failure({ reason: "role" }))).toBe(false);
  expect(offerRestore(new RequestFailure({ code: 400, reason: "" }))).toBe(false);
  expect(isOverlayOpen("restore-account")).toBe(false);
});

test("asks whether to restore a deleted account at sign-in", () => {
  expect(offerRestore(failure({ reason: "account_deleted", until: 1, restore_token: "r" }))).toBe(true);
  expect(isOverlayOpen("restore-account")).toBe(true);
});
