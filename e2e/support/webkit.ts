import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, type TestInfo } from "@playwright/test";
import { lostTextsInPage } from "./lost-texts.ts";
import { test as base } from "./people.ts";
import { startProduct } from "./product.ts";
import { emptyPath, keepSession, type KeptSession } from "./session.ts";
import { startDisplay, type Target, WebkitBrowser, webkitIsInstalled, type WebkitOptions } from "./webdriver.ts";
import { words } from "./words.ts";

const webDirectory = fileURLToPath(new URL("../../web/dist", import.meta.url));
/** Key in the browser's storage under which our pages list their errors. */
const errorsKey = "consoleErrors";
/** MiniBrowser is 447 px wide at least. */
const widths = { desktop: { width: 1440, height: 900 }, narrow: { width: 447, height: 844 } } as const;

interface Visit extends WebkitOptions {
  /** The session of the signed-in user; a visitor by default. */
  as?: KeptSession;
}

interface Fixtures {
  webkitIsThere: void;
  /** Opens a separate WebKitGTK on the product. An error in one of its pages fails the test. */
  visit: (path: string, options?: Visit) => Promise<WebkitBrowser>;
}

/** Stories in WebKitGTK. Its driver reports no console, so the pages themselves list their errors from the start. */
export const test = base.extend<Fixtures, { display: string }>({
  product: [
    async ({ environment }, use) => {
      const folder = watchedPages();
      try {
        await using product = await startProduct({ WEB_DIR: folder, ...environment });
        await use(product);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    { scope: "worker", timeout: 90_000 },
  ],
  display: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      await using display = await startDisplay();
      await use(display.name);
    },
    { scope: "worker" },
  ],
  webkitIsThere: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use, testInfo) => {
      testInfo.skip(!webkitIsInstalled, "WebKitGTK, its driver or Xvfb is not installed");
      await use();
    },
    { auto: true },
  ],
  visit: async ({ display, product }, use, testInfo) => {
    const opened: WebkitBrowser[] = [];
    await use(async (path, { as, ...options } = {}) => {
      const browser = await WebkitBrowser.start(display, options);
      opened.push(browser);
      await browser.resize(widths.desktop.width, widths.desktop.height);
      if (as) {
        await browser.open(product.url + emptyPath);
        await browser.run(keepSession, as);
      }
      await browser.open(product.url + path);
      return browser;
    });
    try {
      if (testInfo.errors.length > 0)
        for (const [index, browser] of opened.entries())
          writeFileSync(testInfo.outputPath(`failed-${index}.png`), await browser.picture());
      for (const browser of opened) expect(await errorsOf(browser), "errors on the console").toEqual([]);
    } finally {
      await Promise.all(opened.map((browser) => browser[Symbol.asyncDispose]()));
    }
  },
});

/** A copy of the built pages with a first script that lists errors. */
function watchedPages(): string {
  const folder = mkdtempSync(join(tmpdir(), "fava-watched-"));
  cpSync(webDirectory, folder, { recursive: true, filter: (path) => !/\.(?:br|gz)$/.test(path) });
  writeFileSync(join(folder, "list-errors.js"), `(${String(listErrors)})("${errorsKey}")`);
  const pages = readdirSync(join(folder, "pages"), { recursive: true, encoding: "utf8" });
  for (const page of ["index.html", ...pages.filter((one) => one.endsWith(".html")).map((one) => join("pages", one))]) {
    const file = join(folder, page);
    writeFileSync(file, readFileSync(file, "utf8").replace("<head>", `<head><script src="/list-errors.js"></script>`));
  }
  return folder;
}

/** Runs in our pages, before their own scripts. */
function listErrors(key: string): void {
  const add = (...parts: readonly unknown[]) => {
    const listed = JSON.parse(localStorage.getItem(key) ?? "[]") as string[];
    localStorage.setItem(key, JSON.stringify([...listed, `${location.pathname}: ${parts.map(String).join(" ")}`]));
  };
  for (const level of ["error", "warn"] as const) {
    const { [level]: write } = console;
    console[level] = (...parts: unknown[]) => {
      add(`console.${level}`, ...parts);
      write(...parts);
    };
  }
  // A page that is left stops loading its files.
  let isLeft = false;
  window.addEventListener("beforeunload", () => (isLeft = true));
  // Files that fail to load are reported to a capturing listener only.
  const addError = ({ message, target }: ErrorEvent) => {
    // An observer that runs again in the next frame; Chromium does not report it to the console.
    if (message?.startsWith("ResizeObserver loop")) return;
    if (message) add("error", message);
    else if (!isLeft) add("not loaded", (target as Element).outerHTML);
  };
  window.addEventListener("error", addError, true);
  window.addEventListener("unhandledrejection", ({ reason }) => add("unhandled rejection", reason));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    add("security policy", violatedDirective, blockedURI),
  );
}

function errorsOf(browser: WebkitBrowser): Promise<string[]> {
  return browser.run((key) => JSON.parse(localStorage.getItem(key) ?? "[]") as string[], errorsKey);
}

/** Expects at both widths that no text is cut off or covered; leaves pictures beside the results of the test. */
export async function look(browser: WebkitBrowser, name: string, testInfo: TestInfo): Promise<void> {
  for (const [size, { width, height }] of Object.entries(widths)) {
    await browser.resize(width, height);
    await browser.run(settle);
    await expect.poll(() => browser.evaluate(lostTextsInPage), `${name}, ${size}`).toEqual([]);
    writeFileSync(testInfo.outputPath(`${name}-${size}.png`), await browser.picture());
  }
  await browser.resize(widths.desktop.width, widths.desktop.height);
}

/** Runs in the page: waits for its fonts, which early pages apply late, and until it is painted. */
async function settle(): Promise<void> {
  while (document.documentElement.dataset["fonts"] === "later") await new Promise(requestAnimationFrame);
  await document.fonts.ready;
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}

export function button(name: string | RegExp, within?: Target): Target {
  return { css: "button, [role^=menuitem]", name: named(name), ...(within && { within }) };
}

export function dialog(name: string | RegExp): Target {
  return { css: "[role=dialog], [role=alertdialog], dialog", name: named(name) };
}

/** A key of the catalog as the expression that matches its English text. */
function named(name: string | RegExp): RegExp {
  return typeof name === "string" ? words(name) : name;
}
