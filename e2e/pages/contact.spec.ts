import { expect } from "@playwright/test";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { Inbox } from "@fava/web/testing/message-fixtures.ts";
import { desktop, phone, test } from "../support/fixture-page.ts";
import { messagesButton } from "../support/messages-panel.ts";
import { words } from "../support/words.ts";

for (const [size, viewport] of Object.entries({ phone, desktop })) {
  test(`[USER-70] [USER-71] contact us on a ${size}: hours here and in GMT, mail, app, and the official account`, async ({
    world,
  }) => {
    const nowMs = galleryNowMs;
    const { answers } = new Inbox(() => nowMs);
    const page = await world.open({ as: ana, answers, viewport, nowMs, timezoneId: "America/New_York" });
    await expect(messagesButton(page)).toBeVisible();
    await page.getByRole("button", { name: words("home.account") }).click();
    await page.getByRole("menuitem", { name: words("menu.contact") }).click();
    const contact = page.getByRole("dialog", { name: words("login.contact") });
    await expect(contact.getByText(words("contact.hoursText"))).toBeVisible();
    await expect(contact.getByText("Sunday to Thursday, 21:00 to 05:00 the next day, your time")).toBeVisible();
    await expect(contact.getByText("help@fava.test").first()).toBeVisible();
    await expect(contact.getByRole("button", { name: /^Copy/ })).toHaveCount(1);
    const app = contact.getByRole("link", { name: /^Open/ });
    await expect(app).toHaveAttribute("target", "_blank");
    await expect(app).toHaveAttribute("href", "https://messages.test/fava");
    expect(await contact.evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth)).toBeLessThanOrEqual(0);
    await contact.getByRole("button", { name: words("contact.write") }).click();
    await expect(contact).toBeHidden();
    await expect(
      page.getByRole("main", { name: words("msg.title") }).getByRole("region", { name: "Fava" }),
    ).toBeVisible();
    expect(world.server.asked("messageList").at(-1)).toMatchObject({ externalId: "x-fava" });
  });
}
