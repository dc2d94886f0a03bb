import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { t } from "#lib/i18n.ts";
import { emptyStatement } from "#testing/bean-fixtures.ts";
import { expectHome } from "#testing/call-page.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { tillOf } from "#testing/shop-fixtures.ts";
import { openShop } from "#testing/shop-steps.ts";

const shop = () => page.getByRole("dialog", { name: t("shop.title") });

test("leads from the not-enough-beans dialog to the shop as well", async () => {
  await openPage({
    as: ana,
    stored: { neverShowRule: "1" },
    answers: { ...tillOf(ana).answers, matchStart: new Refusal(codes.notEnoughBeans) },
  });
  await page.getByRole("radio", { name: /^Women/ }).click();
  await page.getByRole("button", { name: t("home.start") }).click();
  const sheet = page.getByRole("dialog", { name: t("beans.notEnoughTitle") });
  await expect.element(sheet.getByRole("button", { name: t("beans.useFree") })).toBeVisible();
  await sheet.getByRole("button", { name: t("beans.get") }).click();
  await expect.element(shop().getByRole("radio").first()).toBeVisible();
  await expect.element(sheet).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expectHome();
});

test("shows statement and spending cap over the shop, which stays open", async () => {
  await openPage({ as: ana, answers: { ...tillOf(ana).answers, beanStatement: emptyStatement } });
  await openShop();
  for (const [key, title] of [
    ["shop.statement", "statement.title"],
    ["shop.cap", "cap.title"],
  ] as const) {
    await shop()
      .getByRole("button", { name: t(key) })
      .click();
    const over = page.getByRole("dialog", { name: t(title) });
    await expect.element(over.getByRole("heading").first()).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.element(over).not.toBeInTheDocument();
    await expect.element(shop()).toBeVisible();
  }
});

test("leads from the statement to the shop", async () => {
  await openPage({ as: ana, answers: { ...tillOf(ana).answers, beanStatement: emptyStatement } });
  await page.getByRole("button", { name: t("home.account") }).click();
  await page.getByRole("menuitem", { name: t("menu.beans") }).click();
  await page
    .getByRole("dialog", { name: t("statement.title") })
    .getByRole("button", { name: t("beans.get") })
    .click();
  await expect.element(shop().getByRole("radio").first()).toBeVisible();
});
