import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { markerCamera } from "./marker-camera.ts";

declare global {
  interface Window {
    /** Playwright calls it to type the text of `fill` into the focused field. */
    __pw_bidiInsertText: (text: string) => void;
  }
}

/** How Playwright has to be used for a browser. */
interface Engine {
  /** The options of a new page, without those that the browser does not take. */
  readonly optionsOf: (options: BrowserContextOptions) => BrowserContextOptions;
  /** Run in every page before all other scripts. */
  readonly scripts: readonly (() => void)[];
  /** Allows the page what the last test's page may have lost. */
  readonly allow: (page: Page, permissions: readonly string[]) => Promise<void>;
  /** Ends the page's process, or closes the page: it runs no more script. */
  readonly crash: (page: Page) => Promise<void>;
}

const chromium: Engine = {
  optionsOf: (options) => options,
  scripts: [],
  allow: (page, permissions) => page.context().grantPermissions([...permissions]),
  async crash(page) {
    const tools = await page.context().newCDPSession(page);
    const crashed = page.waitForEvent("crash");
    // A crashed page does not respond.
    tools.send("Page.crash").catch(() => undefined);
    await crashed;
  },
};

/** Options of pages that Playwright lacks for Firefox: preferences of the browser allow devices and reduce motion. */
const setByPreferences = new Set(["permissions", "reducedMotion"]);

const firefox: Engine = {
  optionsOf: (options) => Object.fromEntries(Object.entries(options).filter(([name]) => !setByPreferences.has(name))),
  // The browser's own fake camera shows every colour after a while, also those of the markers.
  scripts: [typeLikeAUser, markerCamera],
  allow: async () => undefined,
  crash: (page) => page.close(),
};

export function engineOf(of: Browser | Page): Engine {
  return isFirefox(of) ? firefox : chromium;
}

export function isFirefox(of: Browser | Page): boolean {
  const browser = "context" in of ? of.context().browser() : of;
  return browser?.browserType().name() === "firefox";
}

/** Playwright would assign the value of a field, of which React is not notified. */
function typeLikeAUser(): void {
  const type = (text: string) => void document.execCommand("insertText", false, text);
  Object.defineProperty(window, "__pw_bidiInsertText", { value: type });
}
