import type { Browser, BrowserContextOptions, Page } from "@playwright/test";

/** Each keeps a process of the browser. */
const keptMost = 4;

/**
 * Pages that several tests have one after the other: a new one compiles everything anew, which takes half a second of a
 * core. Each is found by a key of what cannot be changed of it: the browser's options, and the scripts that it begins with.
 */
export class SharedPages {
  readonly #browser: Browser;
  readonly #free = new Map<string, Page>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** A new page, in which these scripts run before its own. */
  async open(options: BrowserContextOptions, scripts: readonly (() => void)[]): Promise<Page> {
    const context = await this.#browser.newContext(options);
    for (const script of scripts) await context.addInitScript(script);
    return context.newPage();
  }

  /** One that an earlier test has left, if there is one. */
  take(key: string): Page | undefined {
    const page = this.#free.get(key);
    this.#free.delete(key);
    return page;
  }

  /** Takes a page whose test is over: what that test has stored, routed, allowed and opened is gone from it. */
  async giveBack(key: string, page: Page): Promise<void> {
    await empty(page);
    const tooMany = this.#free.has(key) ? this.take(key) : this.#oldest();
    this.#free.set(key, page);
    await tooMany?.context().close();
  }

  #oldest(): Page | undefined {
    const [key] = this.#free.keys();
    return key !== undefined && this.#free.size === keptMost ? this.take(key) : undefined;
  }
}

async function empty(page: Page): Promise<void> {
  const context = page.context();
  const others = context.pages().filter((one) => one !== page);
  await Promise.all(others.map((one) => one.close()));
  await context.setOffline(false);
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.clearPermissions(), context.clearCookies()]);
  await page.goto("/empty-page");
  await page.evaluate(emptyStorage);
  await page.emulateMedia({ colorScheme: null, forcedColors: null, media: null, reducedMotion: null });
}

/** Runs in the page, from which nothing has the database open. */
async function emptyStorage(): Promise<void> {
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
