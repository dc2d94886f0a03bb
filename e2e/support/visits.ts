import { expect, type Page } from "@playwright/test";
import { ConsoleErrors } from "./console-errors.ts";
import { test as base, type Who } from "./people.ts";
import { beginSession } from "./session.ts";

const desktop = { width: 1440, height: 900 } as const;

interface VisitOptions {
  as: Who;
  /** Runs in the page before its own scripts; the page is not shared then. */
  before?: () => void;
}

interface Fixtures {
  /** Opens a separate browser window of a signed-in user. Any console error in it fails the test. */
  visit: (path: string, options: VisitOptions) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  visit: async ({ lendPage, product }, use) => {
    const errors = new ConsoleErrors();
    await use(async (path, { as, before }) => {
      const page = await lendPage({
        options: { viewport: desktop, locale: "en-US" },
        scripts: before ? [before] : [],
        isUsedUp: before !== undefined,
      });
      errors.watch(page.context());
      await beginSession(page, as, product.url + path);
      return page;
    });
    errors.leave();
    expect(errors.unexpected(), "errors on the console").toEqual([]);
  },
});
