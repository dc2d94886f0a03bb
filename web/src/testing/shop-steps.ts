import { expect, vi } from "vitest";
import { type Locator, page } from "vitest/browser";
import { t } from "#lib/i18n.ts";

/** The header's balance, also while a dialog makes it inert. */
export function shownBalance(): string | null | undefined {
  return document
    .querySelector("header :is([aria-label$=' bean'], [aria-label$=' beans'])")
    ?.getAttribute("aria-label");
}

/** Opens the shop from the header; waits for its packs. */
export async function openShop(beans = 0): Promise<Locator> {
  const count = new Intl.NumberFormat("en").format(beans);
  await page.getByRole("button", { name: t("home.beans", { n: beans, count }), exact: true }).click();
  const shop = page.getByRole("dialog", { name: t("shop.title") });
  await expect.element(shop.getByRole("radio").first()).toBeVisible();
  return shop;
}

/** Chooses a pack in the shop; resolves to the dialog with the payment methods. */
export async function choosePack(beans = "10,000"): Promise<Locator> {
  const shop = await openShop();
  await shop.getByRole("radio", { name: new RegExp(`(?<!\\d|,)${beans} beans`) }).click();
  await shop.getByRole("button", { name: t("shop.continue") }).click();
  return page.getByRole("dialog", { name: t("pay.title"), exact: true });
}

/** A window that was opened for a payment. */
export interface PaymentWindowStub {
  closed: boolean;
  opener: unknown;
  readonly document: Document;
  /** The addresses it was sent to, in order. */
  readonly visited: string[];
  /** How often it was brought to the front. */
  focused: number;
}

/** Keeps the browser from opening windows. Returns the stubs, oldest first. */
export function stubWindows(): readonly PaymentWindowStub[] {
  const opened: PaymentWindowStub[] = [];
  vi.stubGlobal("open", (url: string) => {
    const stub = {
      closed: false,
      opener: window,
      document: document.implementation.createHTMLDocument(),
      visited: [url],
      focused: 0,
      location: { replace: (address: string) => void stub.visited.push(address) },
      focus: () => void (stub.focused += 1),
      close: () => void (stub.closed = true),
    };
    opened.push(stub);
    return stub;
  });
  return opened;
}

/** Makes the browser block all windows. */
export function blockWindows(): void {
  vi.stubGlobal("open", () => null);
}
