import { expect, type Page } from "@playwright/test";
import { widenOfferMs } from "@fava/wire/limits.ts";
import { callScreen, expectCallState, expectHome, expectTogether, startChat, test } from "./support/people.ts";
import { words } from "./support/words.ts";

// A country costs nothing here, since nobody can have beans yet; a gender does.
test.use({ environment: { PRICE_COUNTRY: "0", PRICE_GENDER: "1600", PRICE_BOTH: "1600" } });

test("[MATCH-7] nobody for 10 s: without filters the page says that few are free, and goes on", async ({ person }) => {
  const bo = await person("bo");
  await bo.clock.install();
  await startChat(bo);
  await expect(bo.getByRole("heading", { name: words("search.title") })).toBeVisible();
  await expect(bo.getByText(words("search.few"))).toBeHidden();
  await bo.clock.fastForward(widenOfferMs);
  await expect(bo.getByText(words("search.few"))).toBeVisible();
  await expectCallState(bo, "searching");
});

test("[MATCH-7] nobody for 10 s: a filter is widened only by a press, and then somebody is met", async ({ person }) => {
  const [ana, bo, theo] = await Promise.all([person("ana"), person("bo"), person("theo")]);
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
  // From Brazil: whom the wish meant is met as well.
  await startChat(ana);
  await expectTogether(bo, ana);
});

test("[ERR-12] a country in which nobody is online is told at once, with the way to everybody", async ({ person }) => {
  const bo = await person("bo");
  await chooseCountry(bo, "Japan");
  await bo.getByRole("button", { name: words("home.start") }).click();
  await bo.getByRole("button", { name: words("rules.ok") }).click();
  const sheet = bo.getByRole("dialog", { name: words("notice.noProfilesTitle") });
  await expect(sheet.getByText(words("notice.noProfiles"))).toBeVisible();
  await expect(callScreen(bo)).toBeHidden();
  await sheet.getByRole("button", { name: words("notice.noProfilesGlobal") }).click();
  await expect(sheet).toBeHidden();
  await expectHome(bo);
  await expect(bo.getByText(words("pref.globalHint"))).toBeVisible();
});

test("[BEANS-4] a filter that is not covered opens the beans notice, and the free way leads on", async ({ person }) => {
  const bo = await person("bo");
  await bo.getByRole("radio", { name: /^Women/ }).check();
  await bo.getByRole("button", { name: words("home.start") }).click();
  await bo.getByRole("button", { name: words("rules.ok") }).click();
  const sheet = bo.getByRole("dialog", { name: words("beans.notEnoughTitle") });
  await expect(sheet.getByText(words("beans.notEnoughText", { count: "1,600" }))).toBeVisible();
  await expect(callScreen(bo)).toBeHidden();
  await sheet.getByRole("button", { name: words("beans.useFree") }).click();
  await bo.getByRole("button", { name: words("rules.ok") }).click();
  await expectCallState(bo, "searching");
  await expect(callScreen(bo).getByText(words("pref.both"))).toBeVisible();
});

async function chooseCountry(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^From/ }).click();
  const sheet = page.getByRole("dialog", { name: words("pref.title") });
  await sheet.getByRole("radio", { name: /^One country/ }).check();
  await sheet.getByRole("searchbox", { name: words("region.search") }).fill(name);
  await sheet.getByRole("radio", { name, exact: true }).last().check();
  await sheet.getByRole("button", { name: words("common.save") }).click();
  await expect(sheet).toBeHidden();
}
