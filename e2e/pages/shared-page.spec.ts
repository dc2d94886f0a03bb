import { expect } from "@playwright/test";
import { test } from "../support/fixture-page.ts";
import { SharedPages } from "../support/shared-pages.ts";

test("resets colours and motion of a page that another test used", async ({ browser, world }) => {
  const shared = new SharedPages(browser, "/empty-page");
  const wanted = {
    options: { baseURL: world.url, colorScheme: "dark", reducedMotion: "reduce" },
    scripts: [],
  } as const;
  const first = await shared.lend(wanted);
  await first.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference", media: "print" });
  await shared.takeBack({ hasFailed: false });
  const second = await shared.lend(wanted);
  expect(second).toBe(first);
  const matched = await second.evaluate(() =>
    ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "screen"].map(
      (query) => matchMedia(query).matches,
    ),
  );
  await shared.takeBack({ hasFailed: true });
  expect(matched).toEqual([true, true, true]);
});
