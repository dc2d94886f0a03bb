import { AxeBuilder } from "@axe-core/playwright";
import { type BrowserContext, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { chooseAccount, test as base, type Who } from "./people.ts";

export { wordsIn } from "./words.ts";

const desktop = { width: 1440, height: 900 } as const;
export const phone = { width: 390, height: 844 } as const;
const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

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

/**
 * Takes pictures of what is on the page, at both sizes, light and dark, for people to look at; and lets axe look for
 * faults at both sizes and in both themes, which fail the test.
 */
export async function look(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await settle(page);
      await page.screenshot({ path: `test-results/screens/${name}-${size}-${colorScheme}.png` });
      if ((size === "desktop") === (colorScheme === "light"))
        await expectAccessible(page, `${name} ${size} ${colorScheme}`);
    }
  }
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

/** Takes the light pictures only, for a language whose words were looked at already. */
export async function picture(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ phone, desktop })) {
    await page.setViewportSize(viewport);
    await settle(page);
    await page.screenshot({ path: `test-results/screens/${name}-${size}-light.png` });
  }
}

/** Until what a new size or theme has set in motion stands still. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(axeTags)
    // Only faults are described, and there are no frames of other origins to look into: half the time.
    .options({ resultTypes: ["violations"] })
    .setLegacyMode(true)
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  expect.soft(found, `axe on ${name}`).toEqual([]);
}
