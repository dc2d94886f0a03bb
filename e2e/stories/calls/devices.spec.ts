import { chromium } from "../../../browser.config.ts";
import { expect } from "@playwright/test";
import { expectHome, expectLeftBy, expectToast, meet, test } from "../../support/people.ts";
import { expectVideoPlays, mediaFacts } from "../../support/media.ts";
import { twoCameras } from "../../support/two-cameras.ts";
import { makeUnpluggable, revokePermission } from "../../support/unplug.ts";
import { words } from "../../support/words.ts";

test(
  "[CALL-135, CALL-8] continues the call with another camera when one is unplugged, and ends it without a camera",
  { tag: "@firefox" },
  async ({ person, partner }) => {
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Unplugs" }, { before: makeUnpluggable }),
      partner({ name: "Bo Unplugged" }),
    ]);
    await meet(ana, bo);
    const before = await mediaFacts(bo);
    await ana.evaluate(() => window.loseOneCamera());
    await expectVideoPlays(bo);
    expect((await mediaFacts(bo)).framesDecoded).toBeGreaterThan(before.framesDecoded);
    await ana.evaluate(() => window.unplugCamera());
    await expect(bo.getByText(words("call.cameraSwitching"))).toBeVisible();
    await expectToast(ana, "notice.deviceLost");
    await expectLeftBy(bo, "Ana Unplugs");
    const tips = ana.getByRole("dialog", { name: words("device.noCamera") });
    await expect(tips.getByText(words("device.missing"))).toBeVisible();
    await ana.evaluate(() => window.plugCameraIn());
    await expect(tips).toBeHidden();
    await expectHome(ana);
    await expect(ana.getByText(words("home.only"))).toBeVisible();
  },
);

test(
  "shows the partner the back camera of a phone once the user has turned to it",
  { tag: ["@firefox-deep", "@deep"] },
  async ({ person, partner }) => {
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Flips" }, { before: twoCameras }),
      partner({ name: "Bo Watches" }),
    ]);
    await meet(ana, bo);
    const before = await mediaFacts(bo);
    await ana.getByRole("button", { name: words("call.flip") }).click();
    await expect(ana.getByLabel(words("call.you")).locator("video:not([data-mirrored])")).toBeVisible();
    await expectVideoPlays(bo);
    expect((await mediaFacts(bo)).framesDecoded).toBeGreaterThan(before.framesDecoded);
  },
);

test(
  "[CALL-8] ends tracks and call when the permission is revoked",
  { tag: "@deep" },
  async ({ person, playwright }) => {
    // Only a browser with a window can revoke a permission.
    const browser = await playwright.chromium.launch(chromium);
    const [ana, bo] = await Promise.all([person({ name: "Ana Revokes" }, { browser }), person({ name: "Bo Allows" })]);
    await meet(ana, bo);
    await revokePermission(ana);
    await expectToast(ana, "notice.deviceLost");
    await expectHome(ana);
    await expectLeftBy(bo, "Ana Revokes");
    await ana.getByRole("button", { name: words("home.start") }).click();
    await expect(ana.getByRole("dialog", { name: words("denied.title") })).toBeVisible();
    await browser.close();
  },
);
