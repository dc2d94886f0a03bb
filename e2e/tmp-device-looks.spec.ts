import { test, signInHere } from "./support/looks.ts";
import { startChat, expectCallState, giveProfile } from "./support/people.ts";
import { openSampleDesk } from "./support/desk.ts";
import { openShop } from "./support/shop.ts";
import { befriend } from "./support/friends.ts";
import { startThread, write } from "./support/messages-panel.ts";
import { words } from "./support/words.ts";
import type { Page } from "@playwright/test";
test.setTimeout(240_000);
const only = process.env["SIZES"]?.split(",");
const sizes = Object.entries({
  landscape: [844, 390],
  small: [667, 375],
  tablet: [820, 1180],
  wide: [3840, 2160],
  phone: [390, 844],
} as const).filter(([n]) => !only || only.includes(n));
async function snap(page: Page, name: string) {
  for (const [size, [width, height]] of sizes) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(250);
    await page.screenshot({ path: `/tmp/device-shots/${name}-${size}.png` });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) console.log(`OVERFLOW ${name} ${size} ${over}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
test("looks people", async ({ visit }) => {
  const v = await visit("/", { devices: true });
  await snap(v, "visitor");
  await v.getByRole("button", { name: words("login.open") }).click();
  await v.getByRole("dialog").waitFor();
  await snap(v, "login");
  await v.keyboard.press("Escape");
  const one = v;
  await signInHere(one, { name: "Mila" });
  await giveProfile(one);
  const two = await visit("/", { devices: true });
  await signInHere(two, { name: "Noor" });
  await giveProfile(two);
  await snap(one, "home");
  await openShop(one);
  await snap(one, "shop");
  await one.keyboard.press("Escape");
  await one.waitForTimeout(600);
  await befriend(one, two);
  await startThread(one, "Noor");
  await write(one, "Hello Noor, how was the sea today?");
  await snap(one, "thread");
  await one
    .getByRole("button", { name: words("msg.close") })
    .last()
    .click();
  await one.waitForTimeout(600);
  await startChat(one);
  await snap(one, "searching");
  await startChat(two);
  await expectCallState(one, "in-call");
  await expectCallState(two, "in-call");
  await one.getByRole("textbox").fill("Hello! Where are you?");
  await one.keyboard.press("Enter");
  await one.waitForTimeout(2500);
  await snap(one, "call");
});
test("looks desk", async ({ visit }) => {
  const page = await visit("/");
  await openSampleDesk(page, "/reportReview");
  await page.waitForTimeout(500);
  await snap(page, "desk");
});
