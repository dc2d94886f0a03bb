import { type BrowserContext, type ConsoleMessage, expect, type Page, type WebError } from "@playwright/test";
import { test as base, type Who } from "./people.ts";
import { beginSession } from "./session.ts";

const desktop = { width: 1440, height: 900 } as const;

interface VisitOptions {
  /** Who is signed in; a visitor without. */
  as?: Who;
  locale?: string;
  /** Camera and microphone are allowed beforehand. */
  devices?: boolean;
  /** Runs in the page before its own scripts; no other test has the page then. */
  before?: () => void;
}

interface Fixtures {
  /** Opens a browser window of its own on the product. Anything on its console that is an error fails the test. */
  visit: (path: string, options?: VisitOptions) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  visit: async ({ lendPage, product }, use) => {
    const contexts: BrowserContext[] = [];
    const errors: string[] = [];
    const onConsole = (message: ConsoleMessage) => {
      const isError = message.type() === "error" || /Content.Security.Policy/i.test(message.text());
      if (isError) errors.push(`${message.text()} (${message.location().url})`);
    };
    const onError = (error: WebError) => {
      errors.push(String(error.error()));
    };
    await use(async (path, { as, locale = "en-US", devices = false, before } = {}) => {
      const permissions = ["camera", "microphone"];
      const page = await lendPage({
        options: { viewport: desktop, locale, ...(devices && { permissions }) },
        scripts: before ? [before] : [],
        isUsedUp: before !== undefined,
      });
      const context = page.context();
      contexts.push(context);
      context.on("console", onConsole);
      context.on("weberror", onError);
      // Those of a page that another test has had were taken back.
      if (devices) await context.grantPermissions(permissions);
      if (as === undefined) await page.goto(path);
      else await beginSession(page, as, product.url + path);
      return page;
    });
    // What a page says when it is left is nobody's.
    for (const context of contexts) {
      context.off("console", onConsole);
      context.off("weberror", onError);
    }
    expect(errors, "errors on the console").toEqual([]);
  },
});
