import { currentLanguage, t } from "#lib/i18n.ts";
import { directionOf } from "#lib/languages.ts";
import type { PaymentWindow } from "./payment-controller.ts";

/**
 * Opens the window in which somebody pays, empty unless there is an address already. It cannot be opened with
 * `noopener`, since it is sent to the payment page later; its way back to this page is cut instead.
 */
export function openPaymentWindow(url?: string): PaymentWindow | null {
  const opened = window.open(url ?? "about:blank", "_blank", "popup,width=540,height=800");
  if (!opened || opened.closed) return null;
  opened.opener = null;
  if (url === undefined) fillEmpty(opened.document);
  return {
    goTo: (address) => {
      if (!opened.closed) opened.location.replace(address);
    },
    show: () => {
      if (opened.closed) return false;
      opened.focus();
      return true;
    },
    close: () => opened.close(),
  };
}

/** For the moment until the payment page is known. */
function fillEmpty(page: Document): void {
  page.title = t("pay.title");
  page.documentElement.lang = currentLanguage();
  page.documentElement.dir = directionOf(currentLanguage());
  page.documentElement.style.colorScheme = "light dark";
  page.body.style.font = "16px/1.5 system-ui, sans-serif";
  page.body.style.padding = "24px";
  page.body.textContent = t("pay.openingText");
}
