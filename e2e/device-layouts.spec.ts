import { expect, type Locator, type Page } from "@playwright/test";
import { openSampleDesk } from "./support/desk.ts";
import { befriend } from "./support/friends.ts";
import { test as looks, signInHere } from "./support/looks.ts";
import { field, startThread } from "./support/messages-panel.ts";
import { expectCallState, giveProfile, startChat } from "./support/people.ts";
import { openShop } from "./support/shop.ts";
import { words } from "./support/words.ts";

const test = looks;
test.setTimeout(240_000);

const sizes = {
  "phone upright": { width: 390, height: 844 },
  "phone on its side": { width: 844, height: 390 },
  "small phone on its side": { width: 667, height: 375 },
  "tablet upright": { width: 820, height: 1180 },
  "tablet on its side": { width: 1180, height: 820 },
  "4K": { width: 3840, height: 2160 },
} as const;

/** Nothing reaches out of the window to the side. */
async function expectFits(page: Page, name: string): Promise<void> {
  const overflowPx = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(overflowPx, `${name}: beyond the window`).toBeLessThanOrEqual(0);
}

async function atEverySize(page: Page, name: string, check: (size: string) => Promise<void>): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await expectFits(page, `${name}, ${size}`);
    await check(`${name}, ${size}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

interface Box {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where the controls of a call are, as they are seen. */
function controlsOf(page: Page): Promise<Box[]> {
  return page.locator("#call").evaluate((screen) =>
    [...screen.querySelectorAll<HTMLElement>("button, textarea, input[type=range]")]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .map((control) => {
        const { left, top, right, bottom } = control.getBoundingClientRect();
        return { name: control.ariaLabel ?? control.textContent, left, top, right, bottom };
      }),
  );
}

/** Every control can be seen and pressed: inside the window, and none under another. */
async function expectApart(page: Page, name: string, area: { bottomPx?: number } = {}): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const boxes = await controlsOf(page);
  expect(boxes.length).toBeGreaterThan(2);
  for (const box of boxes) {
    const inside = box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height - (area.bottomPx ?? 0);
    expect.soft(inside, `${name}: ${JSON.stringify(box)} in the window`).toBe(true);
  }
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1)) {
      const over = one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1;
      expect.soft(over && other.top < one.bottom - 1, `${name}: ${one.name} over ${other.name}`).toBe(false);
    }
}

/** Seen without scrolling. */
async function expectInView(control: Locator, name: string): Promise<void> {
  const box = await control.boundingBox();
  const height = control.page().viewportSize()?.height ?? 0;
  expect.soft(box && box.y >= 0 && box.y + box.height <= height, `${name}: ${JSON.stringify(box)}`).toBe(true);
}

async function newPerson(page: Page, name: string): Promise<void> {
  await signInHere(page, { name });
  await giveProfile(page);
}

test("[DEVICE-6] home, sign-in, shop, messages and the call fit phones, tablets and the largest screens", async ({
  visit,
}) => {
  const one = await visit("/", { devices: true });
  const start = one.getByRole("button", { name: words("home.start") });
  await atEverySize(one, "visitor", (size) => expectInView(start, size));
  await one.getByRole("button", { name: words("login.open") }).click();
  const login = one.getByRole("dialog", { name: words("login.tagline") });
  await atEverySize(one, "sign-in", async (size) => {
    for (const name of ["Google", "Facebook", "Apple"])
      await expectInView(login.getByRole("button", { name: words("login.with", { name }) }), size);
  });
  await one.keyboard.press("Escape");
  await newPerson(one, "Mila Sizes");
  await atEverySize(one, "home", (size) => expectInView(start, size));
  const shop = await openShop(one);
  await atEverySize(one, "shop", (size) =>
    expectInView(shop.getByRole("button", { name: words("shop.continue") }), size),
  );
  await one.keyboard.press("Escape");

  const two = await visit("/", { devices: true });
  await newPerson(two, "Noor Sizes");
  await befriend(one, two);
  await startThread(one, "Noor Sizes");
  await atEverySize(one, "messages", (size) => expectInView(field(one), size));
  await one
    .getByRole("button", { name: words("msg.close") })
    .last()
    .click();

  await startChat(one);
  await atEverySize(one, "searching", (size) => expectApart(one, size));
  await startChat(two);
  await expectCallState(one, "in-call");
  await atEverySize(one, "call", (size) => expectApart(one, size));
  await one.evaluate(() => (document.documentElement.dir = "rtl"));
  await atEverySize(one, "call from right to left", (size) => expectApart(one, size));
});

test("[DEVICE-7] an on-screen keyboard lifts what is written in, and notches cover nothing", async ({ visit }) => {
  const [one, two] = [await visit("/", { devices: true }), await visit("/", { devices: true })];
  await newPerson(one, "Mila Keyboard");
  await newPerson(two, "Noor Keyboard");
  await startChat(one);
  await startChat(two);
  await expectCallState(one, "in-call");
  await one.setViewportSize(sizes["phone upright"]);
  const keyboardPx = 336;
  await one.evaluate((px) => {
    const seen = window.visualViewport;
    if (!seen) throw new Error("no visual viewport");
    Object.defineProperty(seen, "height", { configurable: true, value: window.innerHeight - px });
    seen.dispatchEvent(new Event("resize"));
  }, keyboardPx);
  await expect
    .poll(() => one.evaluate(() => document.documentElement.style.getPropertyValue("--keyboard")))
    .toBe(`${keyboardPx}px`);
  await expectApart(one, "keyboard", { bottomPx: keyboardPx });

  await one.evaluate(() => {
    const { style } = document.documentElement;
    style.setProperty("--keyboard", "0px");
    style.setProperty("--safe-top", "47px");
    style.setProperty("--safe-bottom", "34px");
  });
  const boxes = await controlsOf(one);
  expect(Math.min(...boxes.map(({ top }) => top))).toBeGreaterThanOrEqual(47);
  expect(Math.max(...boxes.map(({ bottom }) => bottom))).toBeLessThanOrEqual(844 - 34);
});

test("[DEVICE-6] the desk fits a tablet and the largest screens", async ({ visit }) => {
  const page = await visit("/");
  await openSampleDesk(page, "/reportReview");
  await atEverySize(page, "desk", async () => expect(page.getByRole("banner")).toBeInViewport());
});

test("[LAYOUT-35] the login popup has its cross at 520 px, and the contact view its own spacing from 810 px down", async ({
  visit,
}) => {
  const page = await visit("/");
  await page.getByRole("button", { name: words("login.open") }).click();
  const login = page.getByRole("dialog", { name: words("login.tagline") });
  await page.setViewportSize({ width: 520, height: 800 });
  await expect(login.getByRole("button", { name: words("common.close") })).toBeVisible();
  await login.getByRole("button", { name: words("login.contact") }).click();
  const entry = page.getByRole("dialog").getByRole("listitem").first();
  const paddingAt = async (width: number) => {
    await page.setViewportSize({ width, height: 800 });
    return entry.evaluate((item) => getComputedStyle(item).paddingBlockStart);
  };
  expect(await paddingAt(811)).not.toBe(await paddingAt(810));
});
