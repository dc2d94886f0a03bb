import { expect, type Page } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "./frames.ts";
import { expectTogether } from "./people.ts";
import { words } from "./words.ts";

/** The offer to return to the call with the partner of this name. */
export const offerOf = (page: Page, name: string) =>
  page.getByRole("dialog", { name: words("openCall.title", { name }) });

/** Reloads the page of a call, and returns to it. The partner waits. */
export async function reloadAndReturn(page: Page, name: string, partner: { page: Page; name: string }): Promise<void> {
  await page.reload();
  await expect(partner.page.getByRole("heading", { name: words("openCall.may", { name }) })).toBeVisible();
  await expect(partner.page.getByRole("button", { name: words("call.next") })).toBeVisible();
  await offerOf(page, partner.name)
    .getByRole("button", { name: words("openCall.button", { name: partner.name }) })
    .click();
  await expectTogether(page, partner.page);
  expect(framesOf(partner.page).pushes(pushCodes.otherLeft)).toEqual([]);
}
