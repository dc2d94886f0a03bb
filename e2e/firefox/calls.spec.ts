import { expectFirstCall } from "../support/first-call.ts";
import { expectCut, meetJudged } from "../support/judged-pictures.ts";
import { markerCamera } from "../support/marker-camera.ts";
import { reloadAndReturn } from "../support/open-call.ts";
import { meet, test } from "../support/people.ts";

const whole = { camera: "whole" } as const;

test.use({ paints: true });

test.describe("in Firefox", { tag: "@firefox" }, () => {
  test("connects Firefox and Chromium in VP8, with sound and chat", async ({ person, partner }) => {
    const [ana, bo] = await Promise.all([person("ana", whole), partner("bo", whole)]);
    await expectFirstCall(ana, bo);
  });

  test("connects two pages of Firefox in VP8, with sound and chat", async ({ person }) => {
    const [ana, bo] = await Promise.all([person("ana", whole), person("bo", whole)]);
    await expectFirstCall(ana, bo);
  });

  test("judges the videos of Firefox and Chromium before showing them, and ends the call for a surely explicit one", async ({
    person,
    partner,
  }) => {
    const camera = { before: markerCamera } as const;
    const [eli, fay] = await Promise.all([
      person({ name: "Eli Firefox" }, camera),
      partner({ name: "Fay Chromium" }, camera),
    ]);
    await meetJudged(eli, fay);
    await expectCut(eli, fay);
  });

  test("returns to the call after a reload", async ({ person, partner }) => {
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Returns" }, { isUsedUp: true }),
      partner({ name: "Bo Remains" }),
    ]);
    await meet(ana, bo);
    await reloadAndReturn(ana, "Ana Returns", { page: bo, name: "Bo Remains" });
  });
});
