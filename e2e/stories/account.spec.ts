import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import { selfOf } from "../support/friends.ts";
import { test } from "../support/visits.ts";
import { expectToast, signIn } from "../support/people.ts";
import { words } from "../support/words.ts";

const menuButton = (page: Page) => page.getByRole("button", { name: words("home.account") });
const visitor = (page: Page) => page.getByRole("button", { name: words("login.open") });
const account = (page: Page) => page.getByRole("dialog", { name: words("account.title") });

async function openAccount(page: Page): Promise<Locator> {
  await menuButton(page).click();
  await page.getByRole("menuitem", { name: words("menu.account") }).click();
  await expect(account(page).getByText(words("account.current"))).toBeVisible();
  return account(page);
}

test("prepares, downloads and opens an export", { tag: "@deep" }, async ({ visit }) => {
  const page = await visit("/", { as: { name: "Account Copy" } });
  const sheet = await openAccount(page);
  await sheet.getByRole("button", { name: words("account.copyBegin") }).click();
  const link = sheet.getByRole("link", { name: words("account.download") });
  await expect(link).toBeVisible({ timeout: 60_000 });
  const downloaded = page.waitForEvent("download");
  await link.click();
  const file = await downloaded;
  expect(file.suggestedFilename()).toMatch(/\.zip$/);
  const entries = unzipSync(new Uint8Array(await readFile(await file.path())));
  const names = Object.keys(entries);
  expect(names.length).toBeGreaterThan(3);
  expect(names.some((name) => /profile/i.test(name))).toBe(true);
  const everything = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => strFromU8(entries[name] ?? new Uint8Array()));
  for (const text of everything) expect(() => JSON.parse(text)).not.toThrow();
  expect(everything.some((text) => text.includes("Account Copy"))).toBe(true);
  // The file still exists after a reload.
  await page.reload();
  await openAccount(page);
  await expect(link).toBeVisible();
});

test("deletes an account by its number, and restores it", async ({ visit }) => {
  const page = await visit("/", { as: { name: "Account Gone" } });
  await expect(menuButton(page)).toBeVisible();
  const { user_no: userNo } = await selfOf(page);
  const given = await page.request.post("/sandbox/beans", { data: { user_no: userNo, beans: 700 }, maxRetries: 1 });
  expect(given.status()).toBe(200);
  const sheet = await openAccount(page);
  await sheet.getByRole("button", { name: words("account.deleteOpen") }).click();
  const question = page.getByRole("alertdialog", { name: words("account.deleteTitle") });
  await expect(question.getByText("700")).toBeVisible();
  await expect(question.getByRole("button", { name: words("account.keep") })).toBeFocused();
  const remove = question.getByRole("button", { name: words("account.deleteOpen") });
  await expect(remove).toHaveAttribute("aria-disabled", "true");
  await question.getByRole("textbox").fill(`${userNo.slice(0, -1)}x`);
  await expect(remove).toHaveAttribute("aria-disabled", "true");
  await question.getByRole("textbox").fill(userNo);
  await remove.click();

  const farewell = page.getByRole("alertdialog", { name: words("comeBack.goneTitle") });
  await expect(farewell.getByText(/Until \w+ \d+, \d{4} you can sign in/)).toBeVisible();
  await farewell.getByRole("button", { name: words("common.ok") }).click();
  await expect(visitor(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("loginToken"))).toBeNull();

  // The sign-in asks; leaving the account deleted signs nobody in.
  await signIn(page, { name: "Account Gone" });
  const asked = page.getByRole("alertdialog", { name: words("comeBack.title") });
  await asked.getByRole("button", { name: words("comeBack.no") }).click();
  await expect(asked).toBeHidden();
  await expect(visitor(page)).toBeVisible();
  await signIn(page, { name: "Account Gone" });
  await asked.getByRole("button", { name: words("comeBack.yes") }).click();
  await expectToast(page, "comeBack.done");
  await menuButton(page).click();
  await expect(page.getByRole("menu").getByText(`${userNo.slice(0, 4)} ${userNo.slice(4)}`)).toBeVisible();
});
