import { expect, type Page } from "@playwright/test";
import { widenOfferMs } from "@fava/wire/limits.ts";
import { expectCallState, expectTogether, startChat, test } from "../../support/people.ts";
import { words } from "../../support/words.ts";

test(
  "[MATCH-7] widens a filter after 10 s only when the user asks, and then finds a partner",
  { tag: "@deep" },
  async ({ person }) => {
    const [ana, bo, theo] = await Promise.all([person("ana"), person("bo", { isUsedUp: true }), person("theo")]);
    await chooseCountry(bo, "Brazil");
    await bo.clock.install();
    await startChat(bo);
    await startChat(theo);
    await bo.clock.fastForward(widenOfferMs);
    const offer = bo.getByRole("heading", { name: words("search.widen") });
    await expect(offer).toBeVisible();
    await expectCallState(theo, "searching");
    await bo.getByRole("button", { name: /any country/ }).click();
    await expectTogether(bo, theo);
    await theo.getByRole("button", { name: words("call.end") }).click();
    // From Brazil: matches the wider filter.
    await startChat(ana);
    await expectTogether(bo, ana);
  },
);

async function chooseCountry(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^From/ }).click();
  const sheet = page.getByRole("dialog", { name: words("pref.title") });
  await sheet.getByRole("radio", { name: /^One country/ }).check();
  await sheet.getByRole("searchbox", { name: words("region.search") }).fill(name);
  await sheet.getByRole("radio", { name, exact: true }).last().check();
  await sheet.getByRole("button", { name: words("common.save") }).click();
  await expect(sheet).toBeHidden();
}
