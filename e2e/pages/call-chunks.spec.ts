import { expect, type Page } from "@playwright/test";
import { controlsInPage, notApartInPage } from "../gallery/controls-apart.ts";
import { meterPill } from "../support/beans.ts";
import { caller, meetIn, startSearch } from "../support/fixture-call.ts";
import { type PageWorld, phone, test } from "../support/fixture-page.ts";
import { expectCallState, toasts } from "../support/people.ts";
import { words } from "../support/words.ts";

test.use({ offered: { pages: "as built" } });

/** Replaces the worker's file by that of another version of the web app, as a release does. */
async function releaseAnother(world: PageWorld): Promise<void> {
  const [page, worker] = await Promise.all(["/", "/sw.js"].map(async (path) => (await fetch(world.url + path)).text()));
  const version = /name="app-version" content="([^"]+)"/.exec(page ?? "")?.[1];
  if (version === undefined || !worker?.includes(version)) throw new Error("the page or the worker has no version");
  world.release("/sw.js", worker.replaceAll(version, `${version}-next`));
}

/** Waits until the worker controls the pages, and so would learn of a newer version. */
async function untilKept(page: Page): Promise<void> {
  const kept = () =>
    page.evaluate(async () => {
      const requests = await (await caches.open("fava-shell")).keys();
      return requests.map(({ url }) => new URL(url).pathname);
    });
  await expect.poll(kept, { timeout: 30_000 }).toContain("/kept-shell");
}

test("offers a new version after the call, and loads it when asked", async ({ world }) => {
  const page = await world.open({ ...caller, serviceWorkers: "allow", isUsedUp: true });
  const offer = toasts(page).getByText(words("device.newVersion"));
  await untilKept(page);
  await startSearch(page);
  await meetIn(page, world);
  await releaseAnother(world);
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const found = new Promise<void>((resolve) => {
      registration.addEventListener("updatefound", () => {
        registration.installing?.addEventListener("statechange", () => resolve());
      });
    });
    await registration.update();
    await found;
  });
  await expectCallState(page, "in-call");
  await expect(offer).toBeHidden();
  await page.getByRole("button", { name: words("call.end") }).click();
  await expect(offer).toBeVisible();
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: words("error.reload") }).click()]);
  await expect(page.getByRole("button", { name: words("home.start") })).toBeVisible();
});

test("keeps the call when a chunk fails to load", async ({ world }) => {
  world.expectErrors(/ERR_FAILED|ChunkLoadError/);
  const page = await world.open(caller);
  await page.route(/\/assets\/ReportSheet-.*\.js/, (route) => route.abort());
  await startSearch(page);
  await meetIn(page, world);
  await page.getByRole("button", { name: words("people.reportName") }).click();
  await expect(toasts(page).getByText(words("error.chunk.title"))).toBeVisible();
  await expect(page.getByRole("button", { name: words("error.reload") })).toBeHidden();
  await expectCallState(page, "in-call");
});

test("keeps a paid call when the price panel fails to load, and loads it at the next press", async ({ world }) => {
  world.expectErrors(/ERR_FAILED|ChunkLoadError/);
  const page = await world.open(caller);
  let isFailing = true;
  await page.route(/\/assets\/MeterPanel-.*\.js/, (route) => (isFailing ? route.abort() : route.continue()));
  await startSearch(page);
  await meetIn(page, world, { remote: { price: 1_600 } });
  await meterPill(page).click();
  await expect(toasts(page).getByText(words("error.chunk.title"))).toBeVisible();
  await expect(meterPill(page)).toHaveAttribute("aria-expanded", "false");
  await expectCallState(page, "in-call");
  isFailing = false;
  await meterPill(page).click();
  await expect(page.getByRole("dialog", { name: words("meter.name") })).toBeVisible();
});

test("keeps fields above an on-screen keyboard, and controls clear of notches", async ({ world }) => {
  const page = await world.open(caller);
  await startSearch(page);
  await meetIn(page, world);
  await page.setViewportSize(phone);
  const keyboardPx = 336;
  await page.evaluate((px) => {
    const seen = window.visualViewport;
    if (!seen) throw new Error("no visual viewport");
    Object.defineProperty(seen, "height", { configurable: true, value: window.innerHeight - px });
    seen.dispatchEvent(new Event("resize"));
  }, keyboardPx);
  const lifted = () => page.evaluate(() => document.documentElement.style.getPropertyValue("--keyboard"));
  await expect.poll(lifted).toBe(`${keyboardPx}px`);
  expect(await page.evaluate(`(${notApartInPage})(${keyboardPx})`)).toEqual([]);

  await page.evaluate(() => {
    const { style } = document.documentElement;
    style.setProperty("--keyboard", "0px");
    style.setProperty("--safe-top", "47px");
    style.setProperty("--safe-bottom", "34px");
  });
  const boxes = await page.evaluate(controlsInPage);
  expect(Math.min(...boxes.map(({ top }) => top))).toBeGreaterThanOrEqual(47);
  expect(Math.max(...boxes.map(({ bottom }) => bottom))).toBeLessThanOrEqual(phone.height - 34);
});
