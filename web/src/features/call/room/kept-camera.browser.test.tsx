import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { goTo } from "#lib/address.ts";
import { t } from "#lib/i18n.ts";
import { localMedia } from "#lib/media/local-media.ts";
import { accountInfo } from "#testing/account-fixtures.ts";
import { expectHome, openSearch } from "#testing/call-page.ts";
import { chooseInMenu } from "#testing/page-steps.ts";

const words = (key: "home.kept") => new RegExp(t(key, { time: "0:XX" }).replace("0:XX", String.raw`0:\d\d`));
const note = () => page.getByText(words("home.kept"));
const ownPicture = () => page.getByRole("region", { name: t("home.camera") });

async function endSearch(): Promise<void> {
  await page.getByRole("button", { name: t("search.stop") }).click();
  await expectHome();
}

test("shows the local video on home while the camera is kept, and for how long", async () => {
  await openSearch({ stored: { keepCamera: "1" } });
  await endSearch();
  await expect.element(note()).toBeVisible();
  await expect.element(ownPicture().getByLabelText(t("home.camera")).first()).toBeVisible();
  await ownPicture()
    .getByRole("button", { name: t("home.camMute") })
    .click();
  await expect.element(page.getByRole("button", { name: t("home.turnOn") })).toBeVisible();
  expect(note().query()).toBeNull();
});

test("turns the camera off when the user leaves home for another page", async () => {
  await openSearch({ stored: { keepCamera: "1" } });
  await endSearch();
  await expect.element(note()).toBeVisible();
  expect(localMedia.getState().media.status).toBe("live");
  goTo("/safety");
  await expect.element(page.getByRole("button", { name: t("safety.report") })).toBeVisible();
  await expect.poll(() => localMedia.getState().media.status).toBe("off");
});

test("keeps the camera only for users who turn that on under account and data", async () => {
  const nowMs = Date.now();
  await openSearch({ answers: { accountInfo: accountInfo(nowMs), userExport: { state: "none" } } });
  await endSearch();
  await expect.element(page.getByRole("button", { name: t("home.turnOn") })).toBeVisible();
  await chooseInMenu("menu.account");
  const choice = page.getByRole("switch", { name: t("account.keepCamera", { count: "30" }) });
  await expect.element(choice).not.toBeChecked();
  await choice.click();
  await expect.element(choice).toBeChecked();
  expect(localStorage.getItem("keepCamera")).toBe("1");
});
