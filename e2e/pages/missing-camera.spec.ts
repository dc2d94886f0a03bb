import { expect } from "@playwright/test";
import { ana } from "@fava/web/testing/fixtures.ts";
import { headlessShell } from "../../browser.config.ts";
import { test } from "../support/fixture-page.ts";
import { words } from "../support/words.ts";

test("[CALL-10] says that the camera is missing", async ({ world, playwright }) => {
  // The browser of a machine without a camera.
  const args = headlessShell.args.map((argument) =>
    argument.startsWith("--use-fake-device") ? "--use-fake-device-for-media-stream=device-count=0" : argument,
  );
  const browser = await playwright.chromium.launch({ ...headlessShell, args });
  const page = await world.open({ as: ana, devices: "allowed", browser });
  await page.getByRole("button", { name: words("home.start") }).click();
  const tips = page.getByRole("dialog", { name: words("device.noCamera") });
  const rows = tips.getByRole("listitem");
  await expect(rows.nth(0).getByText(words("device.missing"))).toBeVisible();
  await expect(rows.nth(1).getByText(words("device.found"))).toBeVisible();
  await tips.getByRole("button", { name: words("common.retry") }).click();
  await expect(tips).toBeVisible();
  await browser.close();
});
