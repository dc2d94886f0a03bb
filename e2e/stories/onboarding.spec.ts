import { expect, type Page } from "@playwright/test";
import { signIn, test } from "../support/people.ts";
import { words } from "../support/words.ts";

const profile = (page: Page) => page.getByRole("dialog", { name: words("complete.title") });
const refusal = (page: Page) => page.getByRole("alertdialog", { name: words("age.title") });
const year = (page: Page) => profile(page).getByLabel(words("birth.year"));
const next = (page: Page) => profile(page).getByRole("button", { name: words("common.next") });

test("asks for birthday and gender once, by keyboard alone", { tag: "@firefox-deep" }, async ({ visitor }) => {
  const page = await visitor();
  await signIn(page, { name: "Keyboard One" });
  await expect(profile(page).getByRole("heading")).toBeFocused();
  await year(page).focus();
  await page.keyboard.press("ArrowUp");
  await expect(year(page)).toHaveValue("2007");

  // Nothing is preselected, and Next says why it does nothing.
  await expect(profile(page).getByRole("radio", { checked: true })).toHaveCount(0);
  await expect(next(page)).toHaveAttribute("aria-disabled", "true");
  await next(page).focus();
  await page.keyboard.press("Enter");
  await expect(profile(page).getByText(words("gender.choose"))).toBeVisible();
  await profile(page).getByRole("radio").first().focus();
  await page.keyboard.press("Space");
  await next(page).focus();
  await page.keyboard.press("Enter");
  await expect(profile(page)).toBeHidden();

  await page.reload();
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
  await page.getByRole("button", { name: words("home.start") }).click();
  await expect(page.getByRole("dialog", { name: words("rules.title") })).toBeVisible();
});

test(
  "[AGE-6, AGE-7] tells a minor the date of the next try, and does not ask again after a reload or a new sign-in",
  { tag: "@firefox-deep" },
  async ({ visitor }) => {
    const page = await visitor();
    await signIn(page, { name: "Young One" });
    await year(page).selectOption("2015");
    await profile(page).getByRole("radio").first().check();
    await next(page).click();
    await expect(refusal(page).getByText("October 28, 2033")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(refusal(page)).toBeVisible();
    await refusal(page)
      .getByRole("button", { name: words("common.ok") })
      .click();
    await expect(refusal(page)).toBeHidden();

    await page.reload();
    await expect(refusal(page).getByText("October 28, 2033")).toBeVisible();
    const again = await visitor();
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
  },
);

test("[AGE-7] refuses the sandbox's minor at once, without questions", async ({ visitor }) => {
  const page = await visitor();
  await signIn(page, "kim");
  await expect(refusal(page)).toBeVisible();
  await expect(profile(page)).toHaveCount(0);
});
