import { expect, type Page } from "@playwright/test";
import { type Words, words } from "./words.ts";

/**
 * Opens the provider's window from the home screen or the login dialog, in the language of `said`. With fixtures, it
 * contains an empty page, whose messages the test sends (`chooseAna`).
 */
export async function openProvider(page: Page, provider = "Google", said: Words = words): Promise<Page> {
  await page
    .context()
    .route(/\/sandbox\/identity\?/, (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Provider</title>" }),
    );
  const opened = page.waitForEvent("popup");
  await page
    .getByRole("button", { name: said("login.with", { name: provider }) })
    .last()
    .click();
  const chooser = await opened;
  await expect(chooser).toHaveTitle("Provider");
  return chooser;
}

/** Chooses Ana's account in the provider's window, which the page then closes. */
export async function chooseAna(chooser: Page): Promise<void> {
  const closed = chooser.waitForEvent("close");
  await chooser.evaluate(postChoice, "ana");
  await closed;
}

/** Runs in a window: tells its opener, or itself, that an account was chosen. */
export function postChoice(account: string): void {
  const message = { type: "fava-sandbox-identity", login_type: 1, third_party_id: account };
  const target = (window.opener as Window | null) ?? window;
  target.postMessage({ ...message, third_party_token: "token", nickname: "Ana", avatar: "" }, location.origin);
}
