import * as v from "valibot";
import { expect, test } from "vitest";
import { matchedPushSchema, pushCodes, pushSchema } from "./pushes.ts";

test("[PUSH-3] numbers pushes 100001 to 100007", () => {
  expect(pushCodes).toEqual({
    matched: 100_001,
    otherLeft: 100_002,
    systemNotice: 100_003,
    reportNotice: 100_004,
    banned: 100_005,
    callMessage: 100_006,
    dataReport: 100_007,
  });
});

test("[PUSH-4] has roomId, token, user_Id, id, externalId, is_enough and the remote user in a match push", () => {
  const { entries } = matchedPushSchema;
  const asSpecified = ["code", "externalId", "id", "is_enough", "remote", "roomId", "token", "user_Id"];
  expect(Object.keys(entries).toSorted()).toEqual(
    [...asSpecified, "media", "returned", "ticket", "traceparent"].toSorted(),
  );
});

test("accepts call messages of type 1 (keep chatting) or 2 (no longer possible), with is_enough 0 or 1", () => {
  const message = (type: number, isEnough: number) =>
    v.is(pushSchema, { code: pushCodes.callMessage, roomId: "r", type, is_enough: isEnough, meter: null });
  expect([message(1, 0), message(1, 1), message(2, 0)]).toEqual([true, true, true]);
  expect([message(0, 0), message(3, 0), message(1, 2)]).toEqual([false, false, false]);
});

test("[PUSH-3] rejects anything else as a push", () => {
  expect(v.is(pushSchema, { code: 100_000 })).toBe(false);
  expect(v.is(pushSchema, { code: 100_008 })).toBe(false);
  expect(v.is(pushSchema, { code: pushCodes.systemNotice })).toBe(true);
});
