import { expect, type Page } from "@playwright/test";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { Inbox } from "@fava/web/testing/message-fixtures.ts";
import { desktop, type PageWorld, phone, test } from "../support/fixture-page.ts";
import { messagesButton, panel } from "../support/messages-panel.ts";
import { words } from "../support/words.ts";

test("shows hours here and in GMT, e-mail, app and the official account, on a phone and a desktop", async ({
  world,
}) => {
  const nowMs = galleryNowMs;
  const { answers } = new Inbox(() => nowMs);
  const page = await world.open({ as: ana, answers, nowMs, viewport: phone, timezoneId: "America/New_York" });
  await contactUs(page, world);
  // Back to the list of conversations, and then home.
  await page.keyboard.press("Escape");
  await expect(thread(page)).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(panel(page)).toBeHidden();
  await page.setViewportSize(desktop);
  await contactUs(page, world);
});

const thread = (page: Page) => panel(page).getByRole("region", { name: "Fava" });

/** From home to the conversation with the official account. */
async function contactUs(page: Page, world: PageWorld): Promise<void> {
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
  const asked = world.server.asked("messageList").length;
  await contact.getByRole("button", { name: words("contact.write") }).click();
  await expect(contact).toBeHidden();
  await expect(thread(page)).toBeVisible();
  expect(world.server.asked("messageList").slice(asked).at(-1)).toMatchObject({ externalId: "x-fava" });
}
