import { expect, type Page } from "@playwright/test";
import { signIn, test } from "../support/people.ts";
import { words } from "../support/words.ts";

const birthday = (page: Page) => page.getByRole("dialog", { name: words("birth.title") });
const confirm = (page: Page) => page.getByRole("alertdialog", { name: words("birth.check") });
const gender = (page: Page) => page.getByRole("dialog", { name: words("gender.title") });
const refusal = (page: Page) => page.getByRole("alertdialog", { name: words("age.title") });
const year = (page: Page) => birthday(page).getByLabel(words("birth.year"));
const next = (page: Page) => page.getByRole("dialog").getByRole("button", { name: words("common.next") });

test("[AGE-8, AGE-9] birthday and gender are answered with the keyboard alone, and asked once", async ({ visitor }) => {
  const page = await visitor();
  await signIn(page, { name: "Keyboard One" });
  await expect(birthday(page).getByRole("heading")).toBeFocused();
  await year(page).focus();
  await page.keyboard.press("ArrowUp");
  await expect(year(page)).toHaveValue("2007");
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
  visitor,
}) => {
  const page = await visitor();
  await signIn(page, { name: "Young One" });
  await year(page).selectOption("2015");
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
});

test("[AGE-7] the sandbox's under-age person is refused at once, and asked for nothing", async ({ visitor }) => {
  const page = await visitor();
  await signIn(page, "kim");
  await expect(refusal(page)).toBeVisible();
  await expect(birthday(page)).toHaveCount(0);
});
