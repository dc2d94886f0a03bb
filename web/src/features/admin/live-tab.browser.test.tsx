import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { ada, adminAnswers } from "#testing/admin-fixtures.ts";
import { silence } from "#testing/fixture-world.ts";
import { busyLive, quietLive } from "#testing/live-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const nowMs = Date.now();

function openLive(live = busyLive(nowMs)) {
  return openPage({ as: ada, path: "/admin/live", answers: { ...adminAnswers(), adminLive: live } });
}

const rowOf = (name: string) => page.getByRole("row").filter({ hasText: name });

test("shows searches, waits, calls, queues and what is overdue", async () => {
  await openLive();
  await expect.element(page.getByText(t("admin.live.servers", { count: 2, of: 3 }))).toBeVisible();
  const figures = page.getByRole("main").getByRole("definition");
  await expect.element(figures.first()).toHaveTextContent("191");
  await expect.element(page.getByText("3.1%")).toBeVisible();
  await expect.element(rowOf(t("admin.live.country")).last()).toHaveTextContent("3––");
  await expect.element(rowOf(t("pref.women")).last()).toHaveTextContent(/970.*7 sec.*1 min 30 sec/);
  await expect.element(rowOf(t("desk.tab.reports"))).toHaveTextContent(/14.*22 min.*5/);
  await expect.element(page.getByRole("img", { name: t("admin.live.calls") })).toBeVisible();
});

test("loads again every two seconds, and keeps the last numbers while the server is silent", async () => {
  const server = await openLive();
  await expect.poll(() => server.asked("adminLive").length, { timeout: 6_000 }).toBeGreaterThan(1);
  server.answer({ adminLive: silence });
  await expect
    .element(page.getByRole("status").filter({ hasText: /isn’t answering/ }), { timeout: 8_000 })
    .toBeVisible();
  await expect.element(rowOf(t("desk.tab.reports"))).toHaveTextContent("14");
});

test("shows a site without people", async () => {
  await openLive(quietLive(nowMs));
  await expect.element(page.getByText(t("desk.figures.nothing")).first()).toBeVisible();
  await expect.element(page.getByText(t("admin.live.waitsCountry"))).not.toBeInTheDocument();
  await page.getByRole("link", { name: t("admin.tab.site") }).click();
  await expect.element(page.getByRole("heading", { name: t("admin.packs.title"), exact: true })).toBeVisible();
});
