import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { roles } from "@fava/wire/people.ts";
import { type Key, t } from "#lib/i18n.ts";
import { ana } from "#testing/fixtures.ts";
import { desktop, openPage, phone } from "#testing/open-page.tsx";
import { nobodyAnswers } from "#testing/people-fixtures.ts";

const keys = [
  "menu.profile",
  "menu.people",
  "menu.blocked",
  "menu.beans",
  "menu.account",
  "menu.contact",
  "menu.safety",
  "menu.terms",
  "menu.privacy",
  "menu.signOut",
] as const;

test("has all items of the user menu on a desktop and on a phone", async () => {
  await openPage({ as: ana });
  for (const { window, target } of [
    { window: desktop, target: "_blank" },
    // A phone opens the page in the same window.
    { window: phone, target: null },
  ]) {
    await page.viewport(window.width, window.height);
    await page.getByRole("button", { name: t("home.account") }).click();
    const items = page.getByRole("menuitem");
    await expect.element(items.first()).toBeVisible();
    expect(items.elements()).toHaveLength(keys.length);
    for (const [index, key] of keys.entries()) {
      const item = items.nth(index);
      await expect.element(item).toHaveTextContent(t(key));
      item.element().scrollIntoView({ block: "nearest" });
      await expect.element(item).toBeInViewport({ ratio: 0.99 });
    }
    const terms = page.getByRole("menuitem", { name: t("menu.terms") });
    await expect.poll(() => terms.element().getAttribute("target")).toBe(target);
    expect(page.getByRole("menuitemradio").elements()).toHaveLength(3);
    await expect.element(page.getByRole("menu").getByText(/1048\s?1234/)).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.element(items).not.toBeInTheDocument();
  }
});

test("opens under a mouse on a desktop, and only on a press in a narrow window", async () => {
  await openPage({ as: ana });
  const button = page.getByRole("button", { name: t("home.account") });
  const menu = page.getByRole("menu");
  await button.hover();
  await expect.element(menu).toBeVisible();
  await button.click();
  await userEvent.keyboard("{Escape}");
  await expect.element(menu).not.toBeInTheDocument();
  await page.getByRole("main").hover();
  await page.viewport(phone.width, phone.height);
  await button.hover();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(button.element().getAttribute("aria-expanded")).toBe("false");
  await button.click();
  await expect.element(menu).toBeVisible();
});

test("leads moderators to the desk, and administrators to the prices as well", async () => {
  await openPage({ as: { ...ana, role: roles.moderator } });
  const link = (key: Key) => page.getByRole("menuitem", { name: t(key) });
  await page.getByRole("button", { name: t("home.account") }).click();
  await expect.element(link("menu.desk")).toHaveAttribute("href", "/reportReview");
  expect(link("admin.title").elements()).toEqual([]);
});

test("shows both to an administrator", async () => {
  await openPage({ as: { ...ana, role: roles.administrator } });
  await page.getByRole("button", { name: t("home.account") }).click();
  await expect.element(page.getByRole("menuitem", { name: t("menu.desk") })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: t("admin.title") })).toHaveAttribute("href", "/admin");
});

test("opens the list of blocked people from the user menu", async () => {
  await openPage({ as: ana, answers: nobodyAnswers });
  await page.getByRole("button", { name: t("home.account") }).click();
  await page.getByRole("menuitem", { name: t("menu.blocked") }).click();
  const tab = page.getByRole("tab", { name: t("people.tab.blocked") });
  await expect.element(tab).toHaveAttribute("aria-selected", "true");
  await expect.element(page.getByText(t("people.blockedIntro"))).toBeVisible();
});
