import { expect, type Page } from "@playwright/test";
import { type FixtureServer, startFixtureServer } from "@fava/server/test/fixtures/fixture-server.ts";
import { controlsOf, expectApart } from "../gallery/examine.ts";
import { caller, meetIn, startSearch } from "../support/fixture-call.ts";
import { phone, test as base } from "../support/fixture-page.ts";
import { copyBuild, releaseAnother } from "../support/own-build.ts";
import { expectCallState, toasts } from "../support/people.ts";
import { words } from "../support/words.ts";

/** A copy of the build is served, so that a test can put a newer version in its place. */
const test = base.extend<object, { build: { directory: string }; fixtureServer: FixtureServer }>({
  build: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      await using build = await copyBuild();
      await use(build);
    },
    { scope: "worker" },
  ],
  fixtureServer: [
    async ({ build }, use) => {
      await using server = await startFixtureServer(build.directory);
      await use(server);
    },
    { scope: "worker" },
  ],
});

/** The worker keeps the pages, and would learn of a newer version. */
async function untilKept(page: Page): Promise<void> {
  const kept = () =>
    page.evaluate(async () => {
      const requests = await (await caches.open("fava-shell")).keys();
      return requests.map(({ url }) => new URL(url).pathname);
    });
  await expect.poll(kept, { timeout: 30_000 }).toContain("/kept-shell");
}

test("[DEVICE-4] a new version is offered after the call, not in it, and loads when it is asked to", async ({
  world,
  build,
}) => {
  const page = await world.open({ ...caller, serviceWorkers: "allow" });
  const offer = toasts(page).getByText(words("device.newVersion"));
  await untilKept(page);
  await startSearch(page);
  await meetIn(page, world);
  await releaseAnother(build.directory);
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

test("[DEVICE-5] a part that does not come never ends a call", async ({ world }) => {
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

test("[DEVICE-7] an on-screen keyboard lifts what is written in, and notches cover nothing", async ({ world }) => {
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
  await expectApart(page, "keyboard", { bottomPx: keyboardPx });

  await page.evaluate(() => {
    const { style } = document.documentElement;
    style.setProperty("--keyboard", "0px");
    style.setProperty("--safe-top", "47px");
    style.setProperty("--safe-bottom", "34px");
  });
  const boxes = await controlsOf(page);
  expect(Math.min(...boxes.map(({ top }) => top))).toBeGreaterThanOrEqual(47);
  expect(Math.max(...boxes.map(({ bottom }) => bottom))).toBeLessThanOrEqual(phone.height - 34);
});
