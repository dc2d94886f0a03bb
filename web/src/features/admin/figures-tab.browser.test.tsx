import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { ada, adminAnswers } from "#testing/admin-fixtures.ts";
import { dailyOf, noDaily } from "#testing/live-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const nowMs = Date.now();

function openFigures(daily = dailyOf(nowMs)) {
  return openPage({ as: ada, path: "/admin/figures", answers: { ...adminAnswers(), adminDaily: daily } });
}

const itemOf = (name: string) => page.getByRole("listitem").filter({ hasText: name });

test("shows new accounts, returns and calls, and hides small counts", async () => {
  const server = await openFigures();
  await expect.element(itemOf(t("admin.figures.step.call"))).toHaveTextContent(/67%.*402/);
  await expect.element(itemOf(t("admin.figures.step.search"))).toHaveTextContent(/86%.*190/);
  await expect.element(page.getByText("€2.19")).toBeVisible();
  await expect.element(page.getByText("24.3 MB", { exact: false })).toBeVisible();
  await expect.element(itemOf(t("admin.figures.after", { day: "7" }))).toHaveTextContent(/23%.*96/);
  await expect.element(itemOf(t("admin.figures.after", { day: "30" }))).toHaveTextContent("<20");
  await expect.element(page.getByText("48,200")).toBeVisible();
  await expect.element(page.getByRole("columnheader", { name: t("admin.figures.rate") })).toBeVisible();
  const rowOf = (name: string) => page.getByRole("row").filter({ hasText: name });
  await expect.element(rowOf(t("pref.women"))).toHaveTextContent(/3,870.?62%/);
  await expect.element(rowOf(t("admin.live.country"))).toHaveTextContent(/<20.*<20.*––/);
  await page.getByRole("radio", { name: t("desk.figures.days.90") }).click();
  await expect.poll(() => server.asked("adminDaily")).toMatchObject([{ days: 14 }, { days: 90 }]);
  const chart = page.getByRole("figure").filter({ hasText: t("admin.figures.calls") });
  await expect.element(chart).toHaveTextContent(t("desk.figures.days.90"));
});

test("shows sales and refunds of each currency", async () => {
  await openFigures();
  const figures = page.getByRole("main").getByRole("definition");
  await expect.element(page.getByText(t("admin.figures.sales"), { exact: true })).toBeVisible();
  await expect.element(figures.nth(0)).toHaveTextContent(/\$12,048\.71.*418/);
  await expect.element(figures.nth(1)).toHaveTextContent(/TRY.899\.70.*3/);
  await expect.element(figures.nth(2)).toHaveTextContent(/\$79\.96.*4/);
});

test("shows no sales and no refunds as 0", async () => {
  await openFigures({ ...dailyOf(nowMs), money: [] });
  const figures = page.getByRole("main").getByRole("definition");
  await expect.element(figures.nth(0)).toHaveTextContent(/^0$/);
  await expect.element(figures.nth(1)).toHaveTextContent(/^0$/);
});

test("shows no cost of calls without a price", async () => {
  await openFigures({ ...dailyOf(nowMs), relay: null });
  await expect.element(page.getByText("48,200")).toBeVisible();
  await expect.element(page.getByText(t("admin.figures.relay", { calls: "1,000" }))).not.toBeInTheDocument();
});

test("says that the first figures come after the first night", async () => {
  await openFigures(noDaily());
  await expect.element(page.getByText(t("admin.figures.none"))).toBeVisible();
});
