import { currentLanguage } from "#lib/i18n.ts";
import { directionOf } from "#lib/languages.ts";

/** A window of another site, such as a payment page. */
export interface OutsideWindow {
  goTo(url: string): void;
  /** Brings it to the front; returns false if it is closed. */
  show(): boolean;
  close(): void;
}

/**
 * Opens a window, with `waiting` in it unless the address is known; null if the browser blocks it. Call it in a press.
 * `noopener` is not possible, because the window is sent to the page later; its `opener` is cleared instead.
 */
export function openOutsideWindow(waiting: { title: string; text: string }, url?: string): OutsideWindow | null {
  const opened = window.open(url ?? "about:blank", "_blank", "popup,width=540,height=800");
  if (!opened || opened.closed) return null;
  opened.opener = null;
  if (url === undefined) fillEmpty(opened.document, waiting);
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

/** Fills the window until it is sent to its page. */
function fillEmpty(page: Document, { title, text }: { title: string; text: string }): void {
  page.title = title;
  page.documentElement.lang = currentLanguage();
  page.documentElement.dir = directionOf(currentLanguage());
  page.documentElement.style.colorScheme = "light dark";
  page.body.style.font = "16px/1.5 system-ui, sans-serif";
  page.body.style.padding = "24px";
  page.body.textContent = text;
}
