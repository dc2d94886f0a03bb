import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { t } from "#lib/i18n.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const account = () => page.getByRole("button", { name: t("home.account") });

test("tells a user who signed in elsewhere in one dialog, with no personal data behind it", async () => {
  let end: (answer: Refusal) => void = () => undefined;
  const active = new Promise<Refusal>((resolve) => (end = resolve));
  await openPage({ as: { ...ana, nickname: "Mira" }, answers: { active: () => active } });
  await page.getByRole("radio", { name: /^Women/ }).click();
  await account().click();
  await expect.element(page.getByRole("menu").getByText("Mira", { exact: true })).toBeVisible();
  end(new Refusal(codes.noSession, { reason: "kicked" }));
  const notice = page.getByRole("alertdialog", { name: t("kick.title") });
  await expect.element(notice).toBeVisible();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(page.getByRole("menu")).not.toBeInTheDocument();
  await expect.element(page.getByText("Mira")).not.toBeInTheDocument();
  await notice.getByRole("button", { name: t("common.ok") }).click();
  await expect.element(page.getByRole("button", { name: t("login.open"), exact: true })).toBeVisible();
  await expect.element(account()).not.toBeInTheDocument();
  expect(localStorage.getItem("loginToken")).toBeNull();
});
