import { expect, type Page } from "@playwright/test";
import { deskAnswers, mia } from "@fava/web/testing/desk-fixtures.ts";
import { ana, memberAnswers } from "@fava/web/testing/fixtures.ts";
import { loginOf } from "@fava/web/testing/onboarding-fixtures.ts";
import { phone, test } from "../support/fixture-page.ts";
import { chooseAna, openProvider } from "../support/provider-window.ts";
import { words } from "../support/words.ts";

test.use({ offered: { pages: "as built" } });

const login = (page: Page) => page.getByRole("dialog", { name: words("login.tagline") });
const account = (page: Page) => page.getByRole("button", { name: words("home.account") });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const foot = (page: Page) => page.getByRole("contentinfo");

test("[GUARD-1] opens the login popup for a protected route without a session, and closes it on another route", async ({
  world,
}) => {
  const answers = { ...memberAnswers(mia), ...deskAnswers(), login: loginOf(mia) };
  const page = await world.open({ path: "/photoReview", answers });
  await expect(login(page)).toBeVisible();
  await expect(page.getByRole("heading", { name: words("home.title"), includeHidden: true })).toBeVisible();
  await page.evaluate(() => {
    history.pushState(null, "", "/aboutUs");
    window.dispatchEvent(new PopStateEvent("popstate"));
  });
  await expect(login(page)).toBeHidden();
  await page.goBack();
  await expect(login(page)).toBeVisible();
  // A moderator who signs in here sees the desk.
  await chooseAna(await openProvider(page));
  await expect(heading(page)).toHaveText(words("desk.title.photos"));
  await page.goto("/reportReview");
  await expect(heading(page)).toHaveText(words("desk.title.reports"));
});

test("[GUARD-2] shows a user with a role below 2 the page of an unknown path", async ({ world }) => {
  world.expectErrors(/404/);
  const page = await world.open({ as: ana });
  await expect(account(page)).toBeVisible();
  await page.goto("/avatarAudit");
  await expect(page).toHaveURL(/\/404$/);
  const refused = await page.getByRole("main").innerText();
  const answer = await page.goto("/there/is/nothing");
  expect(answer?.status()).toBe(404);
  await expect(page).toHaveURL(/\/404$/);
  expect(await page.getByRole("main").innerText()).toBe(refused);
  await page.getByRole("link", { name: words("page.notFound.meet") }).click();
  await expect(page.getByRole("button", { name: words("home.start") })).toBeVisible();
});

test("follows a link in a text to the other page and its section", async ({ world }) => {
  const page = await world.open({ path: "/privacyPolicy" });
  await page.locator("#minors").getByRole("link", { name: "safety centre" }).click();
  await expect(page).toHaveURL(/\/safety$/);
  await page.getByRole("link", { name: words("safety.minorMore") }).click();
  await expect(page).toHaveURL(/\/communityRules#adults$/);
  await expect(page.locator("#adults")).toBeInViewport();
});

test("goes to the start page by link or Escape, and leaves no history entry", async ({ world }) => {
  const page = await world.open({ path: "/aboutUs" });
  await foot(page)
    .getByRole("link", { name: words("page.safety") })
    .click();
  await expect(page).toHaveURL(/\/safety$/);
  // The previous page stays until this one is loaded, and then closes its menus.
  await expect(page.getByRole("link", { name: words("safety.leave") })).toBeVisible();
  // The topmost layer takes Escape first.
  await page.getByRole("button", { name: words("page.language") }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(page).toHaveURL(/\/safety$/);
  // A press in the moment in which the menu closes still belongs to the menu.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/$/, { timeout: 1_000 });
  }).toPass();
  await page.goBack();
  await expect(page).toHaveURL(/\/aboutUs$/);
  await foot(page)
    .getByRole("link", { name: words("page.safety") })
    .click();
  await page.getByRole("link", { name: words("safety.leave") }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/aboutUs$/);
});

test("links to the safety centre from the start page, the user menu, the footer and 404", async ({ world }) => {
  world.expectErrors(/404/);
  const page = await world.open();
  await foot(page)
    .getByRole("link", { name: words("home.foot.safety") })
    .click();
  await expect(heading(page)).toHaveText("Someone is threatening you?");
  await page.goto("/nowhere");
  const ways = page.getByRole("navigation", { name: words("page.notFound.ways") });
  await expect(ways.getByRole("link")).toHaveText([
    words("page.notFound.meet"),
    words("page.notFound.home"),
    words("page.safety"),
  ]);
  await ways.getByRole("link", { name: words("page.safety") }).click();
  await expect(page).toHaveURL(/\/safety$/);
  await page.goto("/aboutUs");
  await foot(page)
    .getByRole("link", { name: words("page.safety") })
    .click();
  await expect(heading(page)).toHaveText("Someone is threatening you?");
  const member = await world.open({ as: ana });
  await account(member).click();
  await member.getByRole("menuitem", { name: words("menu.safety") }).click();
  await expect(heading(member)).toHaveText("Someone is threatening you?");
});

test("opens consent links in a new window on a desktop, and as pages on a phone", async ({ world }) => {
  const page = await world.open();
  const terms = page.getByRole("main").locator('a[href="/userAgreement"]');
  const opened = page.waitForEvent("popup");
  await terms.click();
  await expect(await opened).toHaveURL(/\/userAgreement$/);
  await expect(page).toHaveURL(/\/$/);
  await page.getByRole("button", { name: words("login.open") }).click();
  await expect(login(page).locator('a[href="/privacyPolicy"]')).toHaveAttribute("target", "_blank");
  await page.keyboard.press("Escape");
  await expect(login(page)).toBeHidden();
  await page.setViewportSize(phone);
  await terms.click();
  await expect(page).toHaveURL(/\/userAgreement$/);
  await expect(heading(page)).toBeVisible();
});

test("opens terms and privacy in a new window on a desktop, and as pages on a phone", async ({ world }) => {
  const page = await world.open({ as: ana });
  await account(page).click();
  const opened = page.waitForEvent("popup");
  // The item tells screen readers that it opens a new window.
  await page.getByRole("menuitem", { name: new RegExp(words("menu.terms").source.replace("$", "")) }).click();
  await expect(await opened).toHaveURL(/\/userAgreement$/);
  await expect(page).toHaveURL(/\/$/);

  await page.setViewportSize(phone);
  await account(page).click();
  await page.getByRole("menuitem", { name: words("menu.privacy") }).click();
  await expect(page).toHaveURL(/\/privacyPolicy$/);
});
