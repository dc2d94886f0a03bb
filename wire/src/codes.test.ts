import { expect, test } from "vitest";
import { codes } from "./codes.ts";

test("[ERR-16] has the codes of the specification", () => {
  expect(codes).toEqual({
    ok: 200,
    badInput: 400,
    notEnoughBeans: 402,
    forbidden: 403,
    noSession: 404,
    refused: 406,
    banned: 408,
    tooLarge: 413,
    slowDown: 429,
    clockOff: 460,
    badSignature: 461,
    replayed: 462,
    serverError: 500,
    unavailable: 503,
  });
});
