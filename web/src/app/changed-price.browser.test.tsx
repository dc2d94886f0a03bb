import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { callState, expectCallState } from "#testing/call-page.ts";
import { ana, settings } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";

const dearer = { ...settings, prices: { ...settings.prices, gender: 3_200 } };

test("shows a price that has changed since the page was opened before a search starts at it", async () => {
  const server = await openPage({ as: { ...ana, credit5: 50_000 }, stored: { neverShowRule: "1" } });
  await page.getByRole("radio", { name: /^Women/ }).click();
  await expect.element(page.getByRole("definition")).toHaveTextContent(/1,600/);
  server.answer({ getLanguage: dearer });
  await page.getByRole("button", { name: t("home.start") }).click();
  await expectToast(t("price.changed", { price: "3,200" }));
  await expect.element(page.getByRole("definition")).toHaveTextContent(/3,200/);
  expect(callState()).toBeNull();
  expect(server.asked("matchStart")).toEqual([]);
  await page.getByRole("button", { name: t("home.start") }).click();
  await expectCallState("searching");
});
