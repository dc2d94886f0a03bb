import { expect } from "@playwright/test";
import { test } from "../support/fixture-page.ts";

test.use({ offered: { pages: "joined", languages: ["en", "ar", "de"] } });

const windows = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 412, height: 915 },
  { width: 844, height: 390 },
  { width: 667, height: 375 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
];

for (const locale of ["en-US", "ar", "de"]) {
  test(
    `shows the whole drawn face at home, uncovered, in ${locale}`,
    { tag: locale === "ar" ? "@deep" : [] },
    async ({ world }) => {
      world.expectErrors(/ERR_INTERNET_DISCONNECTED/);
      const page = await world.open({ locale, isUsedUp: true });
      for (const isOffline of [false, true]) {
        await page.context().setOffline(isOffline);
        await expect(page.locator("#reach")).toHaveCount(isOffline ? 1 : 0);
        for (const size of windows) {
          await page.setViewportSize(size);
          const said = `${size.width}x${size.height}${isOffline ? " offline" : ""}`;
          expect(await page.evaluate(faultsOfFace), said).toEqual([]);
        }
      }
    },
  );
}

/** Runs in the page: what clips or covers the face between its forehead and its chin. */
function faultsOfFace(): string[] {
  const face = document.querySelector('[fill="url(#ana-wide-skin)"]');
  const card = face?.closest("figure");
  if (!face || !card) return ["no face"];
  const { left, right, top, bottom } = face.getBoundingClientRect();
  const room = card.getBoundingClientRect();
  const faults: string[] = [];
  if (left < room.left || right > room.right || top < room.top || bottom > room.bottom) faults.push("cut");
  const others = [
    ...card.querySelectorAll("figcaption, [data-move=cat]"),
    ...document.querySelectorAll("header, main figure, main li"),
  ];
  for (const other of others) {
    if (other === card || other.contains(face)) continue;
    const box = other.getBoundingClientRect();
    if (box.width === 0) continue;
    if (box.left < right && box.right > left && box.top < bottom && box.bottom > top)
      faults.push(`covered by ${other.textContent}`);
  }
  return faults;
}
