import { expect, type Page } from "@playwright/test";
import { type Words, words } from "./words.ts";

/**
 * Opens the provider's window from the home screen or the login popup, which say `said`. Before fixtures, an empty page stands in it: what
 * it says to the page is the test's (`chooseAna`).
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

/** Somebody has chosen Ana's account in the provider's window, which the page closes when it has heard. */
export async function chooseAna(chooser: Page): Promise<void> {
  const closed = chooser.waitForEvent("close");
  await chooser.evaluate(postChoice, "ana");
  await closed;
}

/** Runs in a window: says to the one that opened it, or to itself, that an account was chosen. */
export function postChoice(account: string): void {
  const message = { type: "fava-sandbox-identity", login_type: 1, third_party_id: account };
  const target = (window.opener as Window | null) ?? window;
  target.postMessage({ ...message, third_party_token: "token", nickname: "Ana", avatar: "" }, location.origin);
}
