import { expect, type Page } from "@playwright/test";
import { test } from "../support/fixture-page.ts";

for (const path of ["/", "/safety"]) {
  test(`renders joined pages like the built ones from fewer files: ${path}`, async ({
    world,
    fixtureServer,
    fixtureServers,
  }) => {
    const joined = await fixtureServers({ pages: "joined" });
    const { backend, turn } = fixtureServer;
    Object.assign(joined, { backend, turn });
    const [one, other] = [await world.open({ path }), await world.open({ path: joined.url + path })];
    // Responses reach the two pages at different times.
    await expect(async () => {
      const [built, seen] = [await standing(one), await standing(other)];
      expect(seen.elements).toEqual(built.elements);
      expect(seen.elements.length).toBeGreaterThan(50);
      expect(seen.scripts).toEqual(["joined.js"]);
      expect(built.scripts.length).toBeGreaterThan(5);
    }).toPass();
    joined.backend = null;
  });
}

/** The elements of a hydrated page in its own fonts, and the scripts that it has requested. */
async function standing(page: Page): Promise<{ elements: string[]; scripts: string[] }> {
  await page.locator("html:not([data-shell], [data-fonts])").waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
  return page.evaluate(() => ({
    elements: [...document.body.querySelectorAll("*")].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const { color, backgroundColor, font, borderRadius, display, padding } = getComputedStyle(element);
      const place = [left, top, width, height].map(Math.round).join(" ");
      return [
        element.tagName,
        element.className,
        place,
        color,
        backgroundColor,
        font,
        borderRadius,
        display,
        padding,
      ].join();
    }),
    scripts: performance
      .getEntriesByType("resource")
      .map(({ name }) => name.replace(/^.*\//, ""))
      .filter((name) => name.endsWith(".js") && !name.startsWith("early-")),
  }));
}
