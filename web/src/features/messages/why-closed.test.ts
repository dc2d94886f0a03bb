import { expect, test } from "vitest";
import { conversation } from "#testing/message-makers.ts";
import { canWriteIn, whyClosed } from "./ThreadView.tsx";

test("where nothing can be written, the reason is said in place of the field", () => {
  const closed = conversation("bo", { state: "closed" });
  expect([canWriteIn(closed), whyClosed(closed)]).toEqual([false, "msg.closed"]);
  expect(whyClosed({ ...closed, conversationID: "" })).toBe("msg.closedNew");
  const official = conversation("fava", { state: "official" });
  expect([canWriteIn(official), whyClosed(official)]).toEqual([false, "msg.official"]);
  const waiting = conversation("bo", { state: "request_out" });
  expect([canWriteIn(waiting), whyClosed(waiting)]).toEqual([false, "msg.requestOut"]);
});

test("somebody one has met can be written to once, and is said to decide", () => {
  const met = conversation("bo", { state: "request_out", conversationID: "" });
  expect([canWriteIn(met), whyClosed(met)]).toEqual([true, "msg.firstRequest"]);
});

test("friends write without a word about it, and requests of others have their own answer", () => {
  expect([canWriteIn(conversation("bo")), whyClosed(conversation("bo"))]).toEqual([true, null]);
  const request = conversation("bo", { state: "request_in" });
  expect([canWriteIn(request), whyClosed(request)]).toEqual([false, null]);
});
