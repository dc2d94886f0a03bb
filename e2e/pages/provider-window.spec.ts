import { expect, type Page } from "@playwright/test";
import { codes } from "@fava/wire/codes.ts";
import { Refusal } from "@fava/web/testing/fixture-world.ts";
import { ana, memberAnswers } from "@fava/web/testing/fixtures.ts";
import { loginOf } from "@fava/web/testing/onboarding-fixtures.ts";
import { test } from "../support/fixture-page.ts";
import { expectToast, toasts } from "../support/people.ts";
import { chooseAna, openProvider, postChoice } from "../support/provider-window.ts";
import { words } from "../support/words.ts";

const popup = (page: Page) => page.getByRole("dialog", { name: words("login.tagline") });
const provider = (page: Page, name: string) => popup(page).getByRole("button", { name: words("login.with", { name }) });
const account = (page: Page) => page.getByRole("button", { name: words("home.account") });
const token = (page: Page) => page.evaluate(() => localStorage.getItem("loginToken"));

async function openPopup(page: Page): Promise<void> {
  await page.getByRole("button", { name: words("login.open") }).click();
  await expect(popup(page)).toBeVisible();
}

test("shows on the button that the provider's window is open, and changes nothing when it is closed", async ({
  world,
}) => {
  const page = await world.open();
  await openPopup(page);
  const chooser = await openProvider(page);
  await expect(popup(page).getByText(words("login.waiting"))).toBeVisible();
  await expect(provider(page, "Apple")).toBeEnabled();
  await chooser.close();
  await expect(provider(page, "Google")).toBeVisible();
  await expect(toasts(page)).toHaveCount(0);
  await expect(account(page)).toHaveCount(0);
  expect(await token(page)).toBeNull();
  expect(world.server.asked("login")).toEqual([]);
});

test("[SIGNIN-34] ignores a message from a window that is not the provider's", async ({ world }) => {
  const page = await world.open({ answers: { ...memberAnswers(ana), login: loginOf(ana) } });
  const chooser = await openProvider(page);
  // The same message, from the page itself and from a foreign window.
  await page.evaluate(postChoice, "nobody");
  const stranger = page.waitForEvent("popup");
  await page.evaluate(() => void window.open("/empty-page"));
  await (await stranger).evaluate(postChoice, "nobody");
  await chooseAna(chooser);
  await expect(account(page)).toBeVisible();
  expect(world.server.asked("login")).toMatchObject([{ third_party_id: "ana" }]);
});

test("says that the login failed for a rejected token", async ({ world }) => {
  const page = await world.open({ answers: { login: new Refusal(codes.badInput, {}, "login failed") } });
  await openPopup(page);
  await chooseAna(await openProvider(page));
  await expectToast(page, "login.failed");
  await expect(account(page)).toHaveCount(0);
  expect(await token(page)).toBeNull();
});
