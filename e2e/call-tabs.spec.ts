import { expect, type Page } from "@playwright/test";
import { expectHome, expectLeftBy, expectToast, expectTogether, meet, startChat, test } from "./support/people.ts";
import { words } from "./support/words.ts";

/** Names of what the browser keeps for the product. */
function storedNames(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).toSorted());
}

test("[CALL-12] [STORE-14] a second tab takes the call over, and the first one says so", async ({ person }) => {
  const [ana, bo] = await Promise.all([person("ana"), person("bo")]);
  await meet(ana, bo);
  const key = await ana.evaluate(() => localStorage.getItem("holdPageKey"));
  const second = await ana.context().newPage();
  await second.goto("/");
  await expectTogether(ana, bo);

  await startChat(second);
  await expectToast(ana, "notice.otherTab");
  await expectHome(ana);
  await expect(ana.getByText(words("home.offTitle"))).toBeVisible();
  await expectTogether(second, bo);
  await expectHome(ana);
  expect(await second.evaluate(() => localStorage.getItem("holdPageKey"))).not.toBe(key);
});

test("[CALL-12] the camera of a second tab, opened before any search, ends the first tab's call and turns its camera off", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person("ana"), person("bo")]);
  await meet(ana, bo);
  const second = await ana.context().newPage();
  await second.goto("/");
  await second.getByRole("button", { name: words("home.turnOn") }).click();
  await expect(second.getByText(words("home.only"))).toBeVisible();
  await expectToast(ana, "notice.otherTab");
  await expectHome(ana);
  await expect(ana.getByText(words("home.offTitle"))).toBeVisible();
  await expectLeftBy(bo, "Ana");

  // A preview alone is taken over the same way, and the tab that has it can be met.
  await ana.getByRole("button", { name: words("home.turnOn") }).click();
  await expect(ana.getByText(words("home.only"))).toBeVisible();
  await expect(second.getByText(words("home.offTitle"))).toBeVisible();
  await startChat(ana);
  await expectTogether(ana, bo);
});

test("[ERR-9] [SIGNIN-6] signed in elsewhere, the first browser says so and keeps nothing personal", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person("ana"), person("bo")]);
  await meet(ana, bo);
  const elsewhere = await person("ana");

  const notice = ana.getByRole("alertdialog", { name: words("kick.title") });
  await expect(notice).toBeVisible();
  await expectLeftBy(bo, "Ana");
  expect(await storedNames(ana)).toEqual([]);
  await notice.getByRole("button", { name: words("common.ok") }).click();
  await expectHome(ana);
  await expect(ana.getByRole("heading", { name: words("home.title") })).toBeVisible();
  await expect(ana.getByText("Ana", { exact: true })).toHaveCount(0);

  await startChat(elsewhere);
  await expectTogether(elsewhere, bo);
});

test("[STORE-1] [SIGNIN-5] signing out keeps nothing but the choices of the browser, and goes home", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person("ana"), person("bo")]);
  await ana.goto("/?from=somewhere");
  await ana.getByRole("button", { name: words("home.start") }).click();
  await ana.getByRole("checkbox", { name: words("rules.never") }).check();
  await ana.getByRole("button", { name: words("rules.ok") }).click();
  await startChat(bo);
  await expectTogether(ana, bo);
  await ana.getByRole("button", { name: words("call.end") }).click();
  await expectLeftBy(bo, "Ana");

  await ana.getByRole("button", { name: words("home.account") }).click();
  await ana.getByRole("menuitemradio", { name: words("menu.theme.dark") }).click();
  await ana.getByRole("menuitem", { name: words("menu.signOut") }).click();
  await expect(ana).toHaveURL("/");
  await expect(ana.getByRole("heading", { name: words("home.title") })).toBeVisible();
  const kept = await storedNames(ana);
  expect(["language", "neverShowRule", "theme"]).toEqual(expect.arrayContaining(kept));
  expect(kept).toEqual(expect.arrayContaining(["neverShowRule", "theme"]));
});
