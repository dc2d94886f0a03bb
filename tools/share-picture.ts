import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { headlessShell } from "../browser.config.ts";

/** Renders the picture of link previews, `web/public/share.png`, from `docs/images/share-picture.html`. Run by hand. */
const root = join(import.meta.dirname, "..");
const origin = "http://picture.invalid";

const browser = await chromium.launch(headlessShell);
try {
  const page = await browser.newPage({ viewport: { width: 1_200, height: 630 } });
  // Served over HTTP, since a page from a file may load no fonts.
  await page.route(`${origin}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname;
    await route.fulfill({ body: await readFile(join(root, path)), contentType: typeOf(path) });
  });
  await page.goto(`${origin}/docs/images/share-picture.html`);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(root, "web/public/share.png") });
} finally {
  await browser.close();
}

function typeOf(path: string): string {
  return path.endsWith(".html") ? "text/html" : "font/woff2";
}
