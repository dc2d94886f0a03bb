import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, expect, type Locator, type Page, test as base } from "@playwright/test";
import { veil } from "@fava/web/testing/veil.ts";
import { firefoxIsInstalled, headlessShell } from "../../browser.config.ts";
import { engineOf } from "./engine.ts";
import { collectFrames } from "./frames.ts";
import { joinPages } from "./joined-pages.ts";
import { expectVideoPlays, watchPeers } from "./media.ts";
import { type Product, type Program, startProduct } from "./product.ts";
import { cheapDevices } from "./cheap-devices.ts";
import { beginSession, emptyPath, type Who } from "./session.ts";
import { type InitScript, SharedPages, type WantedPage } from "./shared-pages.ts";
import { words } from "./words.ts";

export type { Who } from "./session.ts";

const webDirectory = fileURLToPath(new URL("../../web/dist", import.meta.url));

export interface PersonOptions {
  /** Whether the browser allows camera and microphone. Default: it refuses. */
  devices?: "allowed" | "refused";
  /** The video that the page requests, for tests that measure media; the default is a small one, with plain sound. */
  camera?: "whole";
  /** Runs in every page before the product's own scripts. */
  before?: InitScript;
  /** The test changes the page irreversibly: no other test may use it. */
  isUsedUp?: boolean;
  /** A separate browser; the page is not shared then. */
  browser?: Browser;
}

export interface Fixtures {
  /** A separate browser of a visitor, on the home screen. */
  visitor: (options?: PersonOptions) => Promise<Page>;
  /** The same of a signed-in user; a new one has given birthday and gender. */
  person: (who: Who, options?: PersonOptions) => Promise<Page>;
  /** A second user: where the project runs Firefox, this one has Chromium. */
  partner: (who: Who, options?: PersonOptions) => Promise<Page>;
}

/**
 * One server for all tests, and users who sign in to it. Their pages are left after each test, so that nobody keeps
 * searching.
 */
export const test = base.extend<
  Fixtures & {
    browserIsInstalled: void;
    paints: boolean;
    lendPage: (wanted: WantedPage) => Promise<Page>;
    newPage: (options?: PersonOptions) => Promise<Page>;
  },
  {
    product: Product;
    environment: Record<string, string>;
    program: Program;
    sharedPages: SharedPages;
    partnerBrowser: Browser;
  }
>({
  environment: [{}, { scope: "worker", option: true }],
  program: ["server", { scope: "worker", option: true }],
  product: [
    async ({ environment, program }, use) => {
      // `npm start` serves the pages as built.
      const joined = program === "server" ? await joinPages(webDirectory) : null;
      await using product = await startProduct(
        { ...(joined !== null && { WEB_DIR: joined }), ...environment },
        program,
      );
      await use(product);
    },
    { scope: "worker", timeout: 90_000 },
  ],
  browserIsInstalled: [
    async ({ browserName, launchOptions }, use, testInfo) => {
      const path = launchOptions.executablePath;
      testInfo.skip(path !== undefined && !existsSync(path), "Chromium is not installed");
      testInfo.skip(browserName === "firefox" && !firefoxIsInstalled, "Firefox is not installed");
      await use();
    },
    { auto: true },
  ],
  partnerBrowser: [
    async ({ browser, browserName, playwright }, use) => {
      if (browserName !== "firefox") return use(browser);
      const chromium = await playwright.chromium.launch(headlessShell);
      await use(chromium);
      await chromium.close();
    },
    { scope: "worker" },
  ],
  sharedPages: [({ browser }, use) => use(new SharedPages(browser, emptyPath)), { scope: "worker" }],
  /** Whether pages are painted; otherwise they are only laid out. */
  paints: [true, { option: true }],
  lendPage: async ({ product, paints, sharedPages }, use, testInfo) => {
    await use(({ options, scripts, ...wanted }) =>
      sharedPages.lend({
        options: { baseURL: product.url, reducedMotion: "reduce", ...options },
        scripts: [...(paints ? [] : [veil]), ...scripts],
        ...wanted,
      }),
    );
    await sharedPages.takeBack({ hasFailed: testInfo.errors.length > 0 });
  },
  newPage: async ({ lendPage }, use) => {
    await use(async ({ before, camera, devices, browser, isUsedUp = Boolean(before ?? browser) } = {}) => {
      const permissions = devices === "refused" ? [] : ["camera", "microphone"];
      const page = await lendPage({
        options: {
          // The smallest desktop layout, because two browsers and two videos share the processor.
          viewport: { width: 960, height: 640 },
          // A quarter of the pixels with the same layout.
          deviceScaleFactor: 0.5,
          locale: "en-US",
          permissions,
        },
        scripts: [watchPeers, ...(camera === "whole" ? [] : [cheapDevices]), ...(before ? [before] : [])],
        isUsedUp,
        browser,
      });
      await collectFrames(page);
      // The permissions of a reused page were revoked.
      await engineOf(page).allow(page, permissions);
      return page;
    });
  },
  visitor: async ({ newPage }, use) => {
    await use(async (options) => {
      const page = await newPage(options);
      await page.goto("/");
      return page;
    });
  },
  person: async ({ newPage, product }, use) => {
    await use(async (who, options) => {
      const page = await newPage(options);
      await beginSession(page, who, `${product.url}/`);
      await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
      return page;
    });
  },
  partner: async ({ browser, partnerBrowser, person }, use) => {
    await use((who, options) =>
      person(who, partnerBrowser === browser ? options : { ...options, browser: partnerBrowser }),
    );
  },
});

/** Signs in through the provider's window, from the home screen or the login dialog, in any language. */
export async function signIn(page: Page, who: Who): Promise<void> {
  const opened = page.waitForEvent("popup");
  await page
    .getByRole("button", { name: /Google/ })
    .last()
    .click();
  await chooseAccount(await opened, who);
}

/** Chooses an account in the provider's window, which closes by itself. */
async function chooseAccount(chooser: Page, who: Who): Promise<void> {
  // A press before its script has run would be lost.
  await chooser.waitForLoadState();
  const closed = chooser.waitForEvent("close");
  if (typeof who === "string") {
    await choosing(chooser, chooser.locator(`[data-person="${who}"]`).click());
  } else {
    await chooser.locator("#name").fill(who.name);
    await choosing(chooser, chooser.locator("#name").press("Enter"));
  }
  await closed;
}

/** The press that chooses: the window may close before Playwright learns that the press is done. */
async function choosing(chooser: Page, press: Promise<void>): Promise<void> {
  try {
    await press;
  } catch (error) {
    if (!chooser.isClosed()) throw error;
  }
}

/** Presses Start on the home screen and accepts the rules; waits for the search. */
export async function startChat(page: Page): Promise<void> {
  await page.getByRole("button", { name: words("home.start") }).click();
  await acceptRules(page);
  await expect(callScreen(page)).toBeVisible();
}

/** Presses Start in a browser that has accepted the rules before; waits for the search. */
export async function startAgain(page: Page): Promise<void> {
  await page.getByRole("button", { name: words("home.start") }).click();
  await expect(callScreen(page)).toBeVisible();
}

export async function acceptRules(page: Page): Promise<void> {
  await page.getByRole("button", { name: words("rules.ok") }).click();
}

/** The screen of a search or a call, whose `data-match-state` is the number of the specification. */
export function callScreen(page: Page) {
  return page.locator("[data-match-state]");
}

type MatchState = "searching" | "connecting" | "in-call";

export async function expectCallState(page: Page, state: MatchState): Promise<void> {
  await expect(callScreen(page)).toHaveAttribute("data-status", state);
}

/** Expects a search that started by itself, with a note that `name` has left. */
export async function expectLeftBy(page: Page, name: string): Promise<void> {
  await expectCallState(page, "searching");
  await expect(page.getByRole("heading", { name: words("search.left", { name }) })).toBeVisible();
}

export async function expectHome(page: Page): Promise<void> {
  await expect(callScreen(page)).toBeHidden();
  await expect(page.getByRole("button", { name: words("home.start") })).toBeVisible();
}

/** Two users press Start, one after the other, and see each other. */
export async function meet(one: Page, other: Page): Promise<void> {
  await startChat(one);
  await startChat(other);
  await expectTogether(one, other);
}

export async function expectTogether(one: Page, other: Page): Promise<void> {
  await Promise.all([one, other].map((page) => expectCallState(page, "in-call")));
  await Promise.all([expectVideoPlays(one), expectVideoPlays(other)]);
}

export async function expectToast(page: Page, key: string): Promise<void> {
  await expect(toasts(page).getByText(words(key))).toBeVisible();
}

/** The toasts at the top of the page; screen readers get their text from live regions. */
export function toasts(page: Page): Locator {
  return page.locator("[data-toasts] [data-type]");
}
