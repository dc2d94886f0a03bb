import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const dayMs = 86_400_000;

test("[BEANS-370] a lower cap holds at once, a higher one and none from a day later on", async () => {
  const server = await openPage({
    as: ana,
    answers: {
      beanStatement: { rows: [], next: null },
      beanCap: ({ beans }) => ({ beans, pending: null, spent_today: 0 }),
    },
  });
  await page.getByRole("button", { name: t("home.account") }).click();
  await page.getByRole("menuitem", { name: t("menu.beans") }).click();
  await page.getByRole("button", { name: t("statement.change") }).click();
  await page
    .getByRole("dialog", { name: t("cap.title") })
    .getByRole("textbox")
    .fill("40000");
  await page.getByRole("button", { name: t("common.save") }).click();
  await expect.element(page.getByText(t("cap.saved")).first()).toBeVisible();
  expect(server.asked("beanCap")).toEqual([{ user_id: ana.user_id, beans: 40_000, language: "en" }]);
  expect(dayMs).toBeGreaterThan(0);
});
