import { expect, test } from "vitest";
import * as v from "valibot";
import { descriptionLengthMax, descriptionLinesMax } from "./limits.ts";
import { descriptionSchema } from "./signals.ts";

test.each(["\r\n", "\n", "\r"])(
  "[SOCKET-81] a description has as many lines as a browser makes, ended by %j",
  (end) => {
    expect(v.is(descriptionSchema, `v=0${end}`.repeat(descriptionLinesMax))).toBe(true);
    expect(v.is(descriptionSchema, `v=0${end}`.repeat(descriptionLinesMax + 1))).toBe(false);
    expect(v.is(descriptionSchema, "")).toBe(false);
    expect(v.is(descriptionSchema, "v".repeat(descriptionLengthMax + 1))).toBe(false);
  },
);
