import { type BrowserContext, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { chooseAccount, test as base, type Who } from "./people.ts";

const desktop = { width: 1440, height: 900 } as const;

interface VisitOptions extends Pick<
  BrowserContextOptions,
  "locale" | "colorScheme" | "viewport" | "timezoneId" | "serviceWorkers"
> {
  /** Camera and microphone are allowed beforehand. */
  devices?: boolean;
  /** Runs in the page before its own scripts. */
  before?: () => void;
  /** Console errors that belong to the story, such as the one of a page that does not exist. */
  expected?: RegExp;
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
      const { devices = false, before, expected, ...rest } = options;
      const context = await browser.newContext({
        baseURL: product.url,
        viewport: desktop,
        reducedMotion: "reduce",
        locale: "en-US",
        ...(devices && { permissions: ["camera", "microphone"] }),
        ...rest,
      });
      contexts.push(context);
      context.on("console", (message) => {
        const isError = message.type() === "error" || /Content.Security.Policy/i.test(message.text());
        if (isError && !expected?.test(message.text())) errors.push(`${message.text()} (${message.location().url})`);
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

/** Presses the first provider's button, in whatever language the page is; answers the provider's window. */
export async function openProvider(page: Page): Promise<Page> {
  const opened = page.waitForEvent("popup");
  await page
    .getByRole("button", { name: /Google/ })
    .last()
    .click();
  return opened;
}

/** Signs in through the provider's window, in whatever language the page is. */
export async function signInHere(page: Page, who: Who): Promise<void> {
  await chooseAccount(await openProvider(page), who);
}
