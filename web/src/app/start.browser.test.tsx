import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { rulesReadMs } from "@fava/wire/limits.ts";
import { rulesVersion } from "#features/match/safety-rules.ts";
import { t } from "#lib/i18n.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const start = () => page.getByRole("button", { name: t("home.start") });
const rules = () => page.getByRole("dialog", { name: t("rules.title") });
const acceptRules = () => page.getByRole("button", { name: t("rules.ok") }).click();
const searchScreen = () => document.querySelector("[data-match-state]");

test("[HOME-8] shows the safety rules before a search, and not again once they were accepted", async () => {
  const server = await openPage({ as: ana });
  await start().click();
  await expect.element(rules()).toHaveTextContent("You must be 18 to use video chatThis service is rated 17+.");
  await userEvent.keyboard("{Escape}");
  await expect.element(rules()).toBeVisible();
  expect(server.asked("matchStart")).toEqual([]);
  await acceptRules();
  await expect.poll(() => searchScreen()?.getAttribute("data-match-state")).toBe("1");
  await expect.element(page.getByRole("timer")).toHaveTextContent(/^Searching for \d+:\d\d$/);
  const shown = page.elementLocator(searchScreen() ?? document.body);
  await expect.element(shown.getByText(t("pref.both"))).toBeVisible();
  await expect.element(shown.getByText(t("search.free"))).toBeVisible();
  expect(localStorage.getItem("neverShowRule")).toBeNull();
  await userEvent.keyboard("{Escape}");
  await expect.poll(searchScreen).toBeNull();
  await start().click();
  await expect.poll(searchScreen).not.toBeNull();
  await expect.element(rules()).not.toBeInTheDocument();
});

test("[HOME-8] shows the safety rules again after 30 days, and never again once ticked", async () => {
  const old = `${rulesVersion} ${Date.now() - rulesReadMs}`;
  await openPage({ as: ana, stored: { rulesRead: old } });
  await start().click();
  // The check mark is drawn over the native box.
  await rules().getByText(t("rules.never")).click();
  await acceptRules();
  await expect.poll(searchScreen).not.toBeNull();
  expect(localStorage.getItem("neverShowRule")).toBe("1");
  await userEvent.keyboard("{Escape}");
  await expect.poll(searchScreen).toBeNull();
  localStorage.setItem("rulesRead", old);
  await start().click();
  await expect.poll(searchScreen).not.toBeNull();
  await expect.element(rules()).not.toBeInTheDocument();
});
