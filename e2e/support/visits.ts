import { expect, type Page } from "@playwright/test";
import { cheapDevices } from "./cheap-devices.ts";
import { ConsoleErrors } from "./console-errors.ts";
import { engineOf } from "./engine.ts";
import { test as base, type Who } from "./people.ts";
import { beginSession } from "./session.ts";

const desktop = { width: 1440, height: 900 } as const;

interface VisitOptions {
  /** The signed-in user; a visitor by default. */
  as?: Who;
  locale?: string;
  /** Allows camera and microphone, with a small video and no sound. */
  devices?: boolean;
  /** Runs in the page before its own scripts; the page is not shared then. */
  before?: () => void;
}

interface Fixtures {
  /** Opens a separate browser window on the product. Any console error in it fails the test. */
  visit: (path: string, options?: VisitOptions) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  visit: async ({ lendPage, product }, use) => {
    const errors = new ConsoleErrors();
    await use(async (path, { as, locale = "en-US", devices = false, before } = {}) => {
      const permissions = ["camera", "microphone"];
      const page = await lendPage({
        options: { viewport: desktop, locale, ...(devices && { permissions }) },
        scripts: [...(devices ? [cheapDevices] : []), ...(before ? [before] : [])],
        isUsedUp: before !== undefined,
      });
      const context = page.context();
      errors.watch(context);
      // The permissions of a reused page were revoked.
      if (devices) await engineOf(page).allow(page, permissions);
      if (as === undefined) await page.goto(path);
      else await beginSession(page, as, product.url + path);
      return page;
    });
    errors.leave();
    expect(errors.unexpected(), "errors on the console").toEqual([]);
  },
});
