import { expect, type Page } from "@playwright/test";
import { test } from "../support/fixture-page.ts";
import { words } from "../support/words.ts";

// The worker caches the chunks of the build.
test.use({ offered: { pages: "as built" } });

const login = (page: Page) => page.getByRole("dialog", { name: words("login.tagline") });
const start = (page: Page) => page.getByRole("button", { name: words("home.start") });

/** The paths in the worker's cache. */
function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    if (!(await caches.has("fava-shell"))) return [];
    const requests = await (await caches.open("fava-shell")).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });
}

async function untilKept(page: Page): Promise<string[]> {
  await expect.poll(() => keptPaths(page), { timeout: 30_000 }).toContain("/kept-shell");
  return keptPaths(page);
}

async function speakTurkish(page: Page): Promise<void> {
  await page.getByRole("button", { name: words("home.language") }).click();
  await page.getByRole("menuitemradio", { name: "Türkçe" }).click();
}

test("can be installed, in the language of the page", async ({ world }) => {
  const page = await world.open();
  const link = page.locator('link[rel="manifest"]');
  await expect(link).toHaveAttribute("href", "/manifest/en.webmanifest");
  const answer = await page.request.get("/manifest/en.webmanifest");
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const manifest = (await answer.json()) as {
    icons: { src: string; sizes: string; purpose?: string }[];
    shortcuts: { name: string; url: string }[];
  };
  expect(manifest).toMatchObject({ id: "/", start_url: "/", display: "standalone", short_name: "Fava" });
  expect(manifest.shortcuts.map(({ url }) => url)).toEqual(["/?open=start", "/?open=messages"]);
  for (const { src, sizes } of manifest.icons.filter((icon) => icon.sizes !== "any")) {
    const shown = await page.evaluate(async (path) => {
      const picture = await createImageBitmap(await (await fetch(path)).blob());
      return `${picture.width}x${picture.height}`;
    }, src);
    expect([src, shown]).toEqual([src, sizes]);
  }
  expect(manifest.icons.filter(({ purpose }) => purpose === "maskable")).toHaveLength(2);
  await speakTurkish(page);
  await expect(link).toHaveAttribute("href", "/manifest/tr.webmanifest");
});

test("runs a shortcut of the installed app once", async ({ world }) => {
  const page = await world.open({ path: "/?open=messages&lang=en" });
  await expect(login(page)).toBeVisible();
  await expect(page).toHaveURL(/\/\?lang=en$/);
});

test("opens the home screen offline, in its language, and says that it is offline", async ({ world }) => {
  world.expectErrors(/ERR_INTERNET_DISCONNECTED/);
  const page = await world.open({ serviceWorkers: "allow", isUsedUp: true });
  const kept = await untilKept(page);
  expect(kept.filter((path) => !path.startsWith("/assets/"))).toEqual(["/", "/kept-shell"]);
  const texts = kept.filter((path) => /\/assets\/(?:en|ar|tr|id|zh-CN)-/.test(path));
  expect(texts).toHaveLength(1);

  await page.reload();
  await page.context().setOffline(true);
  await page.reload();
  await expect(start(page)).toBeVisible();
  await expect(page.locator("#reach").getByText(words("offline.text"))).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.locator("#reach").getByText(words("offline.text"))).toBeHidden();
});

test("caches the home screen only in the new language after a change", async ({ world }) => {
  const page = await world.open({ serviceWorkers: "allow", isUsedUp: true });
  await untilKept(page);
  await speakTurkish(page);
  const texts = async () => (await keptPaths(page)).filter((path) => /\/assets\/(?:en|tr)-/.test(path));
  await expect.poll(texts).toEqual([expect.stringContaining("/assets/tr-")]);
});
