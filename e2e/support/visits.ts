import { type BrowserContext, expect, type Page } from "@playwright/test";
import { test as base } from "./people.ts";

const desktop = { width: 1440, height: 900 } as const;

interface VisitOptions {
  locale?: string;
  /** Camera and microphone are allowed beforehand. */
  devices?: boolean;
  /** Runs in the page before its own scripts. */
  before?: () => void;
}

interface Fixtures {
  /** Opens a browser window of its own on the product. Anything on its console that is an error fails the test. */
  visit: (path: string, options?: VisitOptions) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  visit: async ({ browser, product }, use) => {
    const contexts: BrowserContext[] = [];
    const errors: string[] = [];
    await use(async (path, options = {}) => {
      const { locale = "en-US", devices = false, before } = options;
      const context = await browser.newContext({
        baseURL: product.url,
        viewport: desktop,
        reducedMotion: "reduce",
        locale,
        ...(devices && { permissions: ["camera", "microphone"] }),
      });
      contexts.push(context);
      context.on("console", (message) => {
        const isError = message.type() === "error" || /Content.Security.Policy/i.test(message.text());
        if (isError) errors.push(`${message.text()} (${message.location().url})`);
      });
      context.on("weberror", (error) => errors.push(String(error.error())));
      if (before) await context.addInitScript(before);
      const page = await context.newPage();
      await page.goto(path);
      return page;
    });
    for (const context of contexts) await context.close();
    expect(errors, "errors on the console").toEqual([]);
  },
});
