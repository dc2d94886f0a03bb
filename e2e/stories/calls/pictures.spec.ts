import { expect } from "@playwright/test";
import { blurred, expectCut, expectShown, heading, judgedMs, meetJudged } from "../../support/judged-pictures.ts";
import { markerCamera, showMarker } from "../../support/marker-camera.ts";
import { expectTogether, test } from "../../support/people.ts";
import { words } from "../../support/words.ts";

const camera = { before: markerCamera } as const;

test.use({ paints: true });

test(
  "[SAFE-200] inspects a video before showing it, hides it while unsure, and ends the call for a surely explicit one",
  { tag: ["@firefox-deep", "@deep"] },
  async ({ person, partner }) => {
    test.setTimeout(300_000);
    const [eli, fay] = await Promise.all([
      person({ name: "Eli Shows" }, camera),
      partner({ name: "Fay Sees" }, camera),
    ]);
    await meetJudged(eli, fay);

    await showMarker(eli, "unsure");
    await expect(heading(fay, "shield.hidden")).toBeVisible({ timeout: judgedMs });
    await expect(blurred(fay)).toHaveCount(1);
    await expect(eli.getByText(words("shield.warnedText"))).toBeVisible();
    await expect(eli.getByText(words("shield.hiddenFrom", { name: "Fay Sees" }))).toBeVisible();
    await expectShown(eli);
    await expectTogether(eli, fay);
    await showMarker(eli, "none");
    await expectShown(fay);
    await expect(eli.getByText(words("shield.warnedText"))).toBeHidden();

    await expectCut(eli, fay);
  },
);
