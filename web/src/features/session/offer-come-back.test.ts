import { expect, test } from "vitest";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { isOverlayOpen } from "#lib/overlays.ts";
import { offerComeBack } from "./sign-in.ts";

const failure = (data: object) => new RequestFailure({ code: 403, reason: "account_deleted", data });

test("asks nothing for another rejection of a sign-in", () => {
  expect(offerComeBack(failure({ reason: "role" }))).toBe(false);
  expect(offerComeBack(new RequestFailure({ code: 400, reason: "" }))).toBe(false);
  expect(isOverlayOpen("come-back")).toBe(false);
});

test("asks whether to restore a deleted account at sign-in", () => {
  expect(offerComeBack(failure({ reason: "account_deleted", until: 1, restore_token: "r" }))).toBe(true);
  expect(isOverlayOpen("come-back")).toBe(true);
});
