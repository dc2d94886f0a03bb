import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { type Key, t } from "#lib/i18n.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { orderNumber, tillOf } from "#testing/shop-fixtures.ts";

const path = `/chargeReturn?order_no=${orderNumber}`;
const heading = (key: Key) => page.getByRole("heading", { level: 1, name: t(key) });

afterEach(() => {
  vi.useRealTimers();
});

test("shows what was bought on the return page, and tells the other tabs", async () => {
  const till = tillOf(ana);
  till.settle("paid");
  const server = await openPage({ as: ana, path, answers: till.answers });
  await expect.element(heading("pay.completeTitle")).toBeVisible();
  await expect.element(page.getByRole("status")).toHaveTextContent(t("pay.added", { count: "10,000" }));
  await expect.element(page.getByText(orderNumber)).toBeVisible();
  await expect.element(page.getByText("$9.99")).toBeVisible();
  await expect.element(page.getByText(t("return.close"))).toBeVisible();
  await expect.element(page.getByRole("link", { name: t("return.home") })).toBeVisible();
  expect(localStorage.getItem("chargeStatus")).toBe("2");
  expect(server.asked("orderStatus")).toMatchObject([{ order_no: orderNumber }]);
  await expect.poll(() => document.title).toContain(t("pay.completeTitle"));
});

for (const [state, title, text] of [
  ["failed", "pay.failedTitle", "pay.failedText"],
  ["expired", "pay.expiredTitle", "pay.expiredText"],
  ["review", "pay.reviewTitle", "pay.reviewText"],
] as const) {
  test(`shows the order as ${state} on the return page, and does not report it as paid`, async () => {
    const till = tillOf(ana);
    till.settle(state);
    await openPage({ as: ana, path, answers: till.answers });
    await expect.element(heading(title)).toBeVisible();
    await expect.element(page.getByRole("status")).toHaveTextContent(t(text));
    await expect.element(page.getByText(t("return.close"))).toBeVisible();
    expect(localStorage.getItem("chargeStatus")).toBeNull();
  });
}

test("polls an unconfirmed payment, then says that it takes longer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  const till = tillOf(ana);
  const server = await openPage({ as: ana, path, answers: till.answers });
  await expect.element(heading("return.checkingTitle")).toBeVisible();
  expect(page.getByText(t("return.close")).elements()).toEqual([]);
  await vi.waitUntil(
    async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      return heading("return.lateTitle").query() !== null;
    },
    { timeout: 15_000 },
  );
  await expect.element(page.getByRole("status")).toHaveTextContent(t("return.lateText"));
  const asked = server.asked("orderStatus").length;
  expect(asked).toBeGreaterThan(5);
  till.settle("paid");
  await vi.advanceTimersByTimeAsync(20_000);
  await expect.element(heading("pay.completeTitle")).toBeVisible();
  expect(server.asked("orderStatus")).toHaveLength(asked + 1);
});

test("refers to the first window when the return page has no session", async () => {
  const server = await openPage({ path });
  await expect.element(heading("return.elsewhereTitle")).toBeVisible();
  await expect.element(page.getByRole("status")).toHaveTextContent(t("return.elsewhereText"));
  await expect.element(page.getByText(t("return.close"))).toBeVisible();
  expect(server.asked("orderStatus")).toEqual([]);
});
