import { expect, type Page } from "@playwright/test";
import { ana } from "@fava/web/testing/fixtures.ts";
import { test } from "../support/fixture-page.ts";
import { toasts } from "../support/people.ts";
import { words } from "../support/words.ts";

test.use({ offered: { pages: "as built" } });

const start = (page: Page) => page.getByRole("button", { name: words("home.start") });
const region = (page: Page) => page.getByRole("button", { name: /^From/ });
const preferences = (page: Page) => page.getByRole("dialog", { name: words("pref.title") });

test("retries a dialog that fails to load, and then offers to reload the page", async ({ world }) => {
  world.expectErrors(/ERR_FAILED|ChunkLoadError/);
  const page = await world.open();
  // A dialog that is not loaded ahead: by a preload of the browser, then as a part.
  let failures = 2;
  let tries = 0;
  await page.route(/\/assets\/PreferencesSheet-.*\.js/, (route) => {
    tries += 1;
    return tries > failures ? route.continue() : route.abort();
  });
  await region(page).click();
  await expect(preferences(page)).toBeVisible();
  expect(tries).toBe(3);

  failures = Number.POSITIVE_INFINITY;
  await page.reload();
  await region(page).click();
  await expect(toasts(page).getByText(words("error.chunk.text"))).toBeVisible();
  await expect(preferences(page)).toHaveCount(0);
  await expect(start(page)).toBeVisible();
  failures = 0;
  await page.getByRole("button", { name: words("error.reload") }).click();
  await region(page).click();
  await expect(preferences(page)).toBeVisible();
});

test("keeps the home screen when the waiting time fails to load", async ({ world }) => {
  world.expectErrors(/ERR_FAILED|ChunkLoadError/);
  const page = await world.open({ as: ana });
  await page.route(/\/assets\/WaitEstimate-.*\.js/, (route) => route.abort());
  await page.reload();
  await expect(toasts(page).getByText(words("error.chunk.text"))).toBeVisible();
  await expect(start(page)).toBeVisible();
});

test("keeps the home screen in place when the preview fails to load", async ({ world }) => {
  world.expectErrors(/ERR_FAILED|ChunkLoadError/);
  const page = await world.open({ as: ana });
  const before = await start(page).boundingBox();
  await page.route(/\/assets\/CameraPreview-.*\.js/, (route) => route.abort());
  await page.reload();
  await expect(toasts(page).getByText(words("error.chunk.text"))).toBeVisible();
  expect(await start(page).boundingBox()).toEqual(before);
});
