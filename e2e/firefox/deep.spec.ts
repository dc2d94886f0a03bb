import { expect, type Page } from "@playwright/test";
import { launchFirefox } from "../support/firefox.ts";
import { meet, test } from "../support/people.ts";
import { startPushService } from "../support/push-service.ts";
import { words } from "../support/words.ts";

test.describe("in Firefox", { tag: "@firefox-deep" }, () => {
  test("stays signed in after a reload, and calls, in a private window", async ({ person, partner, playwright }) => {
    const browser = await launchFirefox(playwright, { "browser.privatebrowsing.autostart": true });
    const [ana, bo] = await Promise.all([person({ name: "Ana Private" }, { browser }), partner({ name: "Bo Public" })]);
    await ana.reload();
    await expect(ana.getByRole("button", { name: words("home.account") })).toBeVisible();
    await meet(ana, bo);
    await browser.close();
  });
});

test.describe("in Firefox", { tag: "@firefox-deep" }, () => {
  test.use({ serviceWorkers: "allow" });

  test("turns notifications on and off", async ({ person, playwright }) => {
    await using service = await startPushService();
    const browser = await launchFirefox(playwright, service.preferences);
    const page = await person({ name: "Ana Notified" }, { browser });
    await page.context().grantPermissions(["notifications"]);
    const messages = await messagesSwitch(page);
    await expect(messages).toHaveAttribute("aria-checked", "false");
    await messages.click();
    await expect(messages).toHaveAttribute("aria-checked", "true");
    expect(await subscriptionOf(page)).toMatch(/^https:\/\/updates\.push\.services\.mozilla\.com\//);

    await page.reload();
    const again = await messagesSwitch(page);
    await expect(again).toHaveAttribute("aria-checked", "true");
    await again.click();
    await expect(again).toHaveAttribute("aria-checked", "false");
    await expect.poll(() => subscriptionOf(page)).toBeNull();
    await browser.close();
  });
});

async function messagesSwitch(page: Page) {
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words("menu.account") }).click();
  return page
    .getByRole("region", { name: words("notify.title") })
    .getByRole("switch", { name: words("notify.messages") });
}

/** The address of the browser's subscription. */
function subscriptionOf(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    const { pushManager } = await navigator.serviceWorker.ready;
    return (await pushManager.getSubscription())?.endpoint ?? null;
  });
}
