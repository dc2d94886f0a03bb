import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { setupItems } from "@fava/wire/endpoints/operator.ts";
import { t } from "#lib/i18n.ts";
import { ada, adminAnswers } from "#testing/admin-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

test("lists what is missing with its page of the documents, and folds away what is done", async () => {
  const items = setupItems.map((item) => ({ item, is_done: item === "contact" }));
  await openPage({ as: ada, path: "/admin", answers: { ...adminAnswers(), adminSetup: { items } } });
  const missing = page.getByRole("listitem").filter({ hasText: t("admin.setup.payments") });
  await expect.element(missing).toHaveTextContent("docs/operations/payments.md#set-up-a-provider");
  await expect.element(missing.getByRole("button", { name: t("shop.title") })).toBeVisible();
  await expect.element(page.getByText(t("admin.setup.contact"))).not.toBeVisible();
  await page.getByText(t("admin.setup.done", { count: "1" })).click();
  await expect.element(page.getByText(t("admin.setup.contact"))).toBeVisible();
});

test("tests the relay from the administrator's browser, and says so where there is none", async () => {
  const sign = { token: "r", iceServers: [], policy: "all" as const, expiresAt: Number.MAX_SAFE_INTEGER };
  await openPage({ as: ada, path: "/admin", answers: { ...adminAnswers(), testRoomSign: () => sign } });
  await page.getByRole("button", { name: t("network.test") }).click();
  await expect.element(page.getByText(t("network.noRelay"))).toBeVisible();
});
