import { expect } from "@playwright/test";
import { ana } from "@fava/web/testing/fixtures.ts";
import { chromium } from "../../browser.config.ts";
import { test } from "../support/fixture-page.ts";
import { acceptRules, expectCallState } from "../support/people.ts";
import { words } from "../support/words.ts";

declare global {
  interface Window {
    /** The text of the page when it first asked the browser for camera and microphone. */
    pageWhenAsked?: string;
  }
}

// Only a browser with a window can deny a permission.
test.use({ launchOptions: chromium });

test("explains a denied camera with steps, and opens it once it is allowed", async ({ world }) => {
  const page = await world.open({ as: ana, devices: "refused", before: notePageWhenAsked });
  await page.getByRole("button", { name: words("home.start") }).click();
  const tips = page.getByRole("dialog", { name: words("denied.title") });
  await expect(tips.getByText(words("denied.icon"))).toBeVisible();
  await expect(tips.getByText(words("denied.turnOn"))).toBeVisible();
  await expect(tips.getByText(words("denied.back"))).toBeVisible();

  const whenAsked = (await page.evaluate(() => window.pageWhenAsked))?.split("\n");
  for (const key of ["perm.ask", "perm.unseen", "perm.switch", "perm.recorded"])
    expect(whenAsked).toContainEqual(expect.stringMatching(words(key)));

  await tips.getByRole("button", { name: words("common.retry") }).click();
  await expect(tips).toBeVisible();
  await page.context().grantPermissions(["camera", "microphone"]);
  await tips.getByRole("button", { name: words("common.retry") }).click();
  await expect(tips).toBeHidden();
  await acceptRules(page);
  await expectCallState(page, "searching");
});

/** Runs in the page before its own scripts. */
function notePageWhenAsked(): void {
  const { mediaDevices } = navigator;
  // The empty page of a new window has no devices.
  if (!mediaDevices) return;
  const ask = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = (wanted) => {
    window.pageWhenAsked ??= document.querySelector<HTMLElement>("dialog[open]")?.innerText ?? "";
    return ask(wanted);
  };
}
