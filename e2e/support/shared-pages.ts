import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { engineOf } from "./engine.ts";

/** Runs in every page of a browser before the page's own scripts. */
export type InitScript = (() => void) | { content: string };

/** Each keeps a process of the browser. */
const keptMost = 4;

/** The properties of a page that cannot be changed later. */
export interface WantedPage {
  readonly options: BrowserContextOptions;
  readonly scripts: readonly InitScript[];
  /** The test changes the page irreversibly: no other test may use it. */
  readonly isUsedUp?: boolean;
  /** A separate browser, for a page that is not shared. */
  readonly browser?: Browser | undefined;
}

/**
 * Pages that several tests use one after the other, because a new page compiles everything again, which takes half a
 * second of a core. A page is reused for the same options and scripts.
 */
export class SharedPages {
  readonly #browser: Browser;
  readonly #emptyPath: string;
  /** The most recently returned are at the end. */
  readonly #free: { key: string; page: Page }[] = [];
  readonly #lent: { key: string; page: Page; options: BrowserContextOptions; isUsedUp: boolean }[] = [];

  /** `emptyPath` is of the same origin, has the same headers, and runs no script. */
  constructor(browser: Browser, emptyPath: string) {
    this.#browser = browser;
    this.#emptyPath = emptyPath;
  }

  /** Lends a page of an earlier test, or a new one. */
  async lend({ options, scripts, browser, isUsedUp = false }: WantedPage): Promise<Page> {
    const key = JSON.stringify([options, scripts.map((script) => ("content" in script ? script : String(script)))]);
    const page = (isUsedUp ? undefined : this.#take(key)) ?? (await this.#open(options, scripts, browser));
    this.#lent.push({ key, page, options, isUsedUp });
    return page;
  }

  /**
   * Takes the pages of a finished test back, and removes what it has stored, routed, allowed and opened. Closes those
   * of a failed test.
   */
  async takeBack({ hasFailed }: { hasFailed: boolean }): Promise<void> {
    for (const { key, page, options, isUsedUp } of this.#lent.splice(0)) {
      if (isUsedUp || hasFailed || page.isClosed()) {
        await page.context().close();
        continue;
      }
      await empty(page, this.#emptyPath, options);
      this.#free.push({ key, page });
      if (this.#free.length > keptMost) await this.#free.shift()?.page.context().close();
    }
  }

  #take(key: string): Page | undefined {
    const place = this.#free.findLastIndex((left) => left.key === key);
    return place === -1 ? undefined : this.#free.splice(place, 1)[0]?.page;
  }

  async #open(options: BrowserContextOptions, scripts: readonly InitScript[], browser = this.#browser): Promise<Page> {
    const engine = engineOf(browser);
    const context = await browser.newContext(engine.optionsOf(options));
    for (const script of [...engine.scripts, ...scripts]) await context.addInitScript(script);
    return context.newPage();
  }
}

async function empty(page: Page, emptyPath: string, options: BrowserContextOptions): Promise<void> {
  const context = page.context();
  const others = context.pages().filter((one) => one !== page);
  await Promise.all(others.map((one) => one.close()));
  await context.setOffline(false);
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.clearPermissions()]);
  await page.goto(emptyPath);
  // The errors of a page that is left still belong to its test.
  await context.clearCookies();
  await page.evaluate(emptyStorage);
  // Null also resets the options with which the page was opened.
  const { colorScheme = null, forcedColors = null, reducedMotion = null } = options;
  await page.emulateMedia({ colorScheme, forcedColors, reducedMotion, media: null });
}

/** Runs in the page, while no other page has the database open. */
export async function emptyStorage(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) {
    await new Promise((resolve, reject) => {
      const deleting = indexedDB.deleteDatabase(name ?? "");
      deleting.onsuccess = resolve;
      deleting.onerror = () => reject(new Error("a database stays"));
      deleting.onblocked = () => reject(new Error("a database is still open"));
    });
  }
}
