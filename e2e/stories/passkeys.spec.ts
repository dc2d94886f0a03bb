import { expect, type Page } from "@playwright/test";
import { selfOf } from "../support/friends.ts";
import { expectToast } from "../support/people.ts";
import { test } from "../support/visits.ts";
import { words } from "../support/words.ts";

/** A device that verifies its user, as Chromium imitates it. */
async function addDevice(page: Page): Promise<AsyncDisposable> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { [Symbol.asyncDispose]: () => devtools.detach() };
}

async function chooseInMenu(page: Page, key: "menu.account" | "menu.signOut"): Promise<void> {
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words(key) }).click();
}

test("adds a passkey, and signs in by it and by a recovery code", async ({ visit }) => {
  const page = await visit("/", { as: { name: "Passkey Owner" } });
  await using _device = await addDevice(page);
  const { user_no: userNo } = await selfOf(page);
  await chooseInMenu(page, "menu.account");
  const part = page.getByRole("region", { name: words("passkeys.title") });
  await part.getByRole("button", { name: words("passkeys.add") }).click();
  await expectToast(page, "passkeys.added");
  await expect(part.getByRole("listitem")).toContainText("Linux");
  await part.getByRole("button", { name: words("passkeys.codesMake") }).click();
  const code = part.locator("ol li").first();
  await expect(code).toHaveText(/^\w{4}(-\w{4}){3}$/);
  const typed = await code.innerText();
  await page.keyboard.press("Escape");

  const signIn = page.getByRole("button", { name: words("login.open"), exact: true });
  const owner = page.getByRole("menu").getByText(`${userNo.slice(0, 4)} ${userNo.slice(4)}`);
  await chooseInMenu(page, "menu.signOut");
  await signIn.click();
  await page.getByRole("button", { name: words("passkeys.signIn") }).click();
  await page.getByRole("button", { name: words("home.account") }).click();
  await expect(owner).toBeVisible();
  await page.keyboard.press("Escape");

  await chooseInMenu(page, "menu.signOut");
  await signIn.click();
  await page.getByRole("button", { name: words("passkeys.codesUse") }).click();
  const form = page.getByRole("dialog", { name: words("passkeys.codesUse") });
  await form.getByLabel(words("menu.accountNumber")).fill(userNo);
  await form.getByLabel(words("passkeys.code")).fill(typed);
  await form.getByRole("button", { name: words("login.open") }).click();
  await page.getByRole("button", { name: words("home.account") }).click();
  await expect(owner).toBeVisible();
});
