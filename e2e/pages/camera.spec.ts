import { expect } from "@playwright/test";
import { ana } from "@fava/web/testing/fixtures.ts";
import { chromium } from "../../browser.config.ts";
import { test } from "../support/fixture-page.ts";
import { acceptRules, expectCallState } from "../support/people.ts";
import { words } from "../support/words.ts";

// Only a browser with a window has somebody to refuse.
test.use({ launchOptions: chromium });

test("[ERR-7] [HOME-9] a refused camera is explained with steps, and works after it was allowed", async ({ world }) => {
  const page = await world.open({ as: ana, devices: "refused" });
  await page.getByRole("button", { name: words("home.start") }).click();
  const permission = page.getByRole("dialog", { name: words("perm.title") });
  await expect(permission.getByText(words("perm.unseen"))).toBeVisible();
  await permission.getByRole("button", { name: words("perm.go") }).click();
  const tips = page.getByRole("dialog", { name: words("denied.title") });
  await expect(tips.getByText(words("denied.chrome.1"))).toBeVisible();
  await expect(tips.getByText(words("denied.chrome.2"))).toBeVisible();
  await expect(tips.getByText(words("denied.back"))).toBeVisible();

  await tips.getByRole("button", { name: words("common.retry") }).click();
  await expect(tips).toBeVisible();
  await page.context().grantPermissions(["camera", "microphone"]);
  await tips.getByRole("button", { name: words("common.retry") }).click();
  await expect(tips).toBeHidden();
  await acceptRules(page);
  await expectCallState(page, "searching");
});
