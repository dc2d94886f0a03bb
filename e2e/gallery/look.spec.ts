import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { veil } from "@fava/web/testing/veil.ts";
import { look, type Step } from "./look.ts";
import { turnedStyles } from "./turned-styles.ts";

const faulty = `<!doctype html><html lang="en" dir="ltr"><title>Faults</title><main><h1>Faults</h1>
  <img src="data:," width="40" height="40">
  <p style="width: 30px; overflow: hidden; white-space: nowrap">Cut off at the side</p>
  <button style="width: 20px; height: 20px; padding: 0">x</button>
  <button style="width: 50px; height: 50px"></button>
  <p style="width: 9em; font: 16px monospace; overflow: hidden; white-space: nowrap">Enough room</p>
  <div style="width: 3000px">wide</div>
  <button aria-pressed="true" style="all: unset">One</button><button aria-pressed="false" style="all: unset">Two</button>
</main>`;
const sound = `<!doctype html><html lang="en" dir="ltr"><title>No fault</title><main><h1>No fault</h1><p>A text</p></main>`;

const steps: readonly Step[] = [
  { said: "now", faults: ["axe", "lost", "wider", "alike"], targetPx: 24 },
  { said: "large", way: { fontPercent: 200, mirrored: true }, faults: ["lost"] },
  { said: "longer", way: {}, faults: ["longer"] },
];

test("finds every kind of fault, and none on a sound page", async ({ page }) => {
  await page.setContent(faulty);
  const found = await look(page, steps);
  for (const fault of [
    "now: axe, image-alt",
    "now: axe, button-name",
    "now: Cut off at the side: cut off at the side",
    "now: beyond the window",
    "now: One",
    "now: small target 21 x 21",
    "large: Cut off at the side",
    "longer: cut off: Ééñóóúúgh",
  ])
    expect(
      found.filter((one) => one.startsWith(fault)),
      `${fault} in\n${found.join("\n")}`,
    ).not.toEqual([]);
  await page.setContent(sound);
  expect(await look(page, steps)).toEqual([]);
});

test("finds the same faults on a veiled page, and keeps the veil", async ({ page }) => {
  await page.setContent(faulty);
  const found = await look(page, steps);
  await page.evaluate(veil);
  const isSeen = () => page.evaluate(() => document.body.checkVisibility({ opacityProperty: true }));
  expect(await isSeen()).toBe(false);
  expect(await look(page, steps)).toEqual(found);
  expect(await isSeen()).toBe(false);
});

test("lets axe wait for no timer", async ({ page }) => {
  await page.setContent(faulty);
  await look(page, [{ said: "before", faults: [] }]);
  await page.evaluate(() => Object.assign(window, { setTimeout: () => 0 }));
  const found = await look(page, [{ said: "now", faults: ["axe"] }]);
  expect(found.filter((one) => one.startsWith("now: axe, image-alt"))).toHaveLength(1);
});

test("restores the page after the examination", async ({ page }) => {
  await page.setContent(sound);
  // A style that was set and removed leaves an empty attribute.
  const html = () => page.evaluate(() => document.documentElement.outerHTML.replace(' style=""', ""));
  const before = await html();
  const turned: Step = { said: "turned", way: { spaced: true, mirrored: true, fontPercent: 200 }, faults: ["lost"] };
  await look(page, [turned, turned]);
  expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
  await look(page, [{ said: "longer", way: {}, faults: ["longer"] }]);
  expect(await html()).toBe(before);
  await look(page, [turned, { said: "as it stood", way: {}, faults: [], isLeft: true }]);
  expect(await html()).toBe(before);
});

test("has no style sheet that depends on the orientation of the screen", () => {
  const turned = "@layer a { @media (orientation: portrait) { main { color: red } p { transform: rotate(90deg) } } }";
  expect(turnedStyles(`${turned} b { rotate: 1turn }`)).toEqual(["rotate(90deg) "]);
  const folder = new URL("../../web/src/", import.meta.url);
  const sheets = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".css"));
  expect(sheets.length).toBeGreaterThan(50);
  expect(sheets.flatMap((name) => turnedStyles(readFileSync(new URL(name, folder), "utf8")))).toEqual([]);
});
