import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { mailTestOutcomes, setupItems } from "@fava/wire/endpoints/operator.ts";
import { t } from "#lib/i18n.ts";
import { ada, adminAnswers } from "#testing/admin-fixtures.ts";
import { Refusal } from "#testing/fixture-world.ts";
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

test("keeps the three tests in reach when their items are done", async () => {
  const items = setupItems.map((item) => ({ item, is_done: item !== "legal" }));
  await openPage({ as: ada, path: "/admin", answers: { ...adminAnswers(), adminSetup: { items } } });
  for (const name of ["admin.mailTest.send", "network.test", "shop.title"] as const)
    await expect.element(page.getByRole("button", { name: t(name) })).toBeVisible();
  await expect.element(page.getByText(t("admin.setup.contact"))).not.toBeVisible();
  const mail = page.getByRole("listitem").filter({ hasText: t("admin.setup.mail") });
  await expect.element(mail).toHaveTextContent(t("authority.outcome.done"));
});

test("sends a test mail and shows what the mail server answered", async () => {
  const server = await openPage({ as: ada, path: "/admin", answers: adminAnswers() });
  const send = page.getByRole("button", { name: t("admin.mailTest.send") });
  for (const outcome of mailTestOutcomes) {
    server.answer({ adminMailTest: { outcome } });
    await send.click();
    await expect.element(page.getByText(t(`admin.mailTest.${outcome}`, { account: t("account.title") }))).toBeVisible();
    const account = page.getByRole("listitem").getByRole("button", { name: t("account.title") });
    await expect.poll(() => account.elements().length).toBe(outcome === "no_address" ? 1 : 0);
  }
  server.answer({ adminMailTest: new Refusal(codes.slowDown) });
  await send.click();
  await expect.element(page.getByText(t("people.tooFast"))).toBeVisible();
});
