import { expect, type Page } from "@playwright/test";
import { phone, test } from "./support/looks.ts";
import { giveProfile, signIn } from "./support/people.ts";
import { words } from "./support/words.ts";

const birthday = (page: Page) => page.getByRole("dialog", { name: words("birth.title") });
const confirm = (page: Page) => page.getByRole("alertdialog", { name: words("birth.check") });
const gender = (page: Page) => page.getByRole("dialog", { name: words("gender.title") });
const refusal = (page: Page) => page.getByRole("alertdialog", { name: words("age.title") });
const part = (page: Page, name: "year" | "month" | "day") => birthday(page).getByLabel(words(`birth.${name}`));
const next = (page: Page) => page.getByRole("dialog").getByRole("button", { name: words("common.next") });

/** `day` is written YYYY-M-D, as the three lists stand. */
async function expectChoice(page: Page, day: string): Promise<void> {
  const values = day.split("-");
  for (const [index, name] of (["year", "month", "day"] as const).entries())
    await expect(part(page, name)).toHaveValue(values[index] ?? "");
}

test("[AGE-4, AGE-5] the picker stands on 2006-10-28, asks once more, and Change it keeps the choice", async ({
  visit,
}) => {
  const page = await visit("/");
  await signIn(page, { name: "Picker One" });
  await expect(birthday(page).getByRole("heading")).toBeFocused();
  await expectChoice(page, "2006-10-28");
  // The day shrinks with the month and the leap year.
  await part(page, "day").selectOption("28");
  await part(page, "month").selectOption("1");
  await part(page, "day").selectOption("31");
  await part(page, "month").selectOption("2");
  await expectChoice(page, "2006-2-28");
  await expect(part(page, "day").locator("option")).toHaveCount(28);
  await part(page, "year").selectOption("2004");
  await expect(part(page, "day").locator("option")).toHaveCount(29);
  // Earlier years take the list's place.
  await expect(part(page, "year").locator("option").first()).toHaveText("2019");
  await birthday(page)
    .getByRole("button", { name: words("birth.earlier") })
    .click();
  await expect(part(page, "year").locator("option").last()).toHaveText("1926");
  await part(page, "year").selectOption("1960");

  await next(page).click();
  await expect(confirm(page).getByText("February 28, 1960")).toBeVisible();
  await expect(confirm(page).getByRole("heading")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(confirm(page)).toBeVisible();
  await confirm(page)
    .getByRole("button", { name: words("birth.edit") })
    .click();
  await expectChoice(page, "1960-2-28");
  // The cross leaves the person signed in; Start asks again.
  await birthday(page)
    .getByRole("button", { name: words("common.close") })
    .click();
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
  await page.getByRole("button", { name: words("home.start") }).click();
  await expect(birthday(page)).toBeVisible();
});

test("[AGE-8, AGE-9] birthday and gender are answered with the keyboard alone, and asked once", async ({ visit }) => {
  const page = await visit("/", { devices: true });
  await signIn(page, { name: "Keyboard One" });
  await expect(birthday(page).getByRole("heading")).toBeFocused();
  await part(page, "year").focus();
  await page.keyboard.press("ArrowUp");
  await expect(part(page, "year")).toHaveValue("2007");
  await next(page).focus();
  await page.keyboard.press("Enter");
  await expect(confirm(page).getByRole("heading")).toBeFocused();
  await confirm(page)
    .getByRole("button", { name: words("birth.yes") })
    .focus();
  await page.keyboard.press("Enter");

  // Nothing is chosen for the person, and Next says why it does nothing.
  await expect(gender(page).getByRole("heading")).toBeFocused();
  await expect(gender(page).getByRole("radio", { checked: true })).toHaveCount(0);
  await expect(next(page)).toHaveAttribute("aria-disabled", "true");
  await next(page).focus();
  await page.keyboard.press("Enter");
  await expect(gender(page).getByText(words("gender.choose"))).toBeVisible();
  await expect(gender(page).getByText("This cannot be changed later")).toBeVisible();
  await gender(page).getByRole("radio").first().focus();
  await page.keyboard.press("Space");
  await next(page).focus();
  await page.keyboard.press("Enter");
  await expect(gender(page)).toBeHidden();

  await page.reload();
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
  await page.getByRole("button", { name: words("home.start") }).click();
  await expect(page.getByRole("dialog", { name: words("rules.title") })).toBeVisible();
});

test("[AGE-6, AGE-7, ERR-10] who is under age reads from which day on, and neither a reload nor a new sign-in asks again", async ({
  visit,
}) => {
  const page = await visit("/");
  await signIn(page, { name: "Young One" });
  await part(page, "year").selectOption("2015");
  await next(page).click();
  await confirm(page)
    .getByRole("button", { name: words("birth.yes") })
    .click();
  await expect(refusal(page).getByText("October 28, 2033")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(refusal(page)).toBeVisible();
  await refusal(page)
    .getByRole("button", { name: words("common.ok") })
    .click();
  await expect(refusal(page)).toBeHidden();

  await page.reload();
  await expect(refusal(page).getByText("October 28, 2033")).toBeVisible();
  const again = await visit("/");
  await signIn(again, { name: "Young One" });
  await expect(refusal(again).getByText("October 28, 2033")).toBeVisible();
  await refusal(again)
    .getByRole("button", { name: words("common.ok") })
    .click();
  await again.getByRole("button", { name: words("home.start") }).click();
  await expect(refusal(again)).toBeVisible();
  await refusal(again)
    .getByRole("button", { name: words("login.contact") })
    .click();
  await expect(again.getByRole("dialog", { name: words("login.contact") })).toBeVisible();
});

test("[AGE-7] the sandbox's under-age person is refused at once", async ({ visit }) => {
  const page = await visit("/");
  await signIn(page, "kim");
  await expect(refusal(page)).toBeVisible();
  await expect(birthday(page)).toHaveCount(0);
});

test("[LAYOUT-34] a long nickname stays inside the page, on a phone too", async ({ visit }) => {
  const page = await visit("/");
  await signIn(page, { name: "Wolfeschlegelsteinhausenbergerdorffwelch" });
  await giveProfile(page);
  for (const viewport of [{ width: 1440, height: 900 }, phone]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
  }
  await page.getByRole("button", { name: words("home.account") }).click();
  expect(await page.getByRole("menu").evaluate((menu) => menu.scrollWidth - menu.clientWidth)).toBeLessThanOrEqual(0);
});
