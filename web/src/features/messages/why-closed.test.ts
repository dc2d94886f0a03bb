import { expect, test } from "vitest";
import { conversation } from "#testing/message-makers.ts";
import { canWriteIn, whyClosed } from "./ThreadView.tsx";

test("shows the reason instead of the field when the user cannot write", () => {
  const closed = conversation("bo", { state: "closed" });
  expect([canWriteIn(closed), whyClosed(closed)]).toEqual([false, "msg.closed"]);
  expect(whyClosed({ ...closed, conversationID: "" })).toBe("msg.closedNew");
  const official = conversation("fava", { state: "official" });
  expect([canWriteIn(official), whyClosed(official)]).toEqual([false, "msg.official"]);
  const waiting = conversation("bo", { state: "request_out" });
  expect([canWriteIn(waiting), whyClosed(waiting)]).toEqual([false, "msg.requestOut"]);
});

test("allows one message to a user they met, who decides about more", () => {
  const met = conversation("bo", { state: "request_out", conversationID: "" });
  expect([canWriteIn(met), whyClosed(met)]).toEqual([true, "msg.firstRequest"]);
});

test("shows no reason to friends; received requests show their answer instead", () => {
  expect([canWriteIn(conversation("bo")), whyClosed(conversation("bo"))]).toEqual([true, null]);
  const request = conversation("bo", { state: "request_in" });
  expect([canWriteIn(request), whyClosed(request)]).toEqual([false, null]);
});
