import { expect, type Page } from "@playwright/test";
import { framesOf } from "../../support/frames.ts";
import { markerCamera, showMarker } from "../../support/marker-camera.ts";
import { expectVideoPlays } from "../../support/media.ts";
import { callScreen, expectCallState, expectTogether, meet, test } from "../../support/people.ts";
import { words } from "../../support/words.ts";

/** Time until frames were requested, classified often enough and acted upon, on a busy machine. */
const judgedMs = 60_000;
const camera = { before: markerCamera } as const;
const heading = (page: Page, key: string) => page.getByRole("heading", { name: words(key) });
/** The blurred copy that covers the remote video. */
const blurred = (page: Page) => page.locator("section[data-status] canvas");

async function expectShown(page: Page): Promise<void> {
  await expect(heading(page, "shield.checking")).toBeHidden({ timeout: judgedMs });
  await expect(heading(page, "shield.hidden")).toBeHidden({ timeout: judgedMs });
  await expect(blurred(page)).toHaveCount(0);
}

test.use({ paints: true });

test("[SAFE-200] inspects a video before showing it, hides it while unsure, and ends the call for a surely explicit one", async ({
  person,
}) => {
  test.setTimeout(300_000);
  const [eli, fay] = await Promise.all([person({ name: "Eli Shows" }, camera), person({ name: "Fay Sees" }, camera)]);
  const uploads: string[] = [];
  eli.on("request", (request) => void uploads.push(new URL(request.url()).pathname));
  await meet(eli, fay);
  await Promise.all([expectShown(eli), expectShown(fay)]);
  await expectVideoPlays(eli);
  expect(uploads).toContain("/api/video/inspect");
  const shields = framesOf(eli).received.filter((frame) => frame.includes('"shield"'));
  expect(shields.at(-1)).toContain('"other":"clear"');

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

  await showMarker(eli, "sure");
  await expect(heading(fay, "shield.cut")).toBeVisible({ timeout: judgedMs });
  await expectCallState(fay, "searching");
  await expect(fay.getByText(words("shield.cutText"))).toBeVisible();
  await expect(callScreen(eli)).toBeHidden();
  await expect(eli.getByRole("alertdialog").or(eli.getByRole("dialog"))).toBeVisible();
});
