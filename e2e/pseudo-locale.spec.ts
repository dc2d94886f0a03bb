import { expect, type Page } from "@playwright/test";
import { befriend, callAs, selfOf } from "./support/friends.ts";
import { phone, test } from "./support/looks.ts";
import { expectCallState } from "./support/people.ts";
import { clippedTexts, pseudoWords as words, speakPseudo } from "./support/pseudo.ts";
import { beginSession } from "./support/session.ts";

const sizes = { desktop: { width: 1440, height: 900 }, phone } as const;

/** Pictures of what is on the page at both sizes; no text of it may be cut off or outside of its button. */
async function expectRoom(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const finite = document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity);
      await Promise.allSettled(finite.map((animation) => animation.finished));
    });
    await page.screenshot({ path: `test-results/screens/pseudo-${name}-${size}.png` });
    expect.soft(await clippedTexts(page), `${name} on a ${size}`).toEqual([]);
  }
  await page.setViewportSize(sizes.desktop);
}

async function signedIn(page: Page, name: string): Promise<Page> {
  await speakPseudo(page.context());
  await beginSession(page, { name });
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
  return page;
}

/** The words of a key at the beginning of a name, which may go on. */
const within = (key: string) => new RegExp(words(key).source.replace(/\$$/, ""), "u");

const press = (page: Page, key: string) =>
  page
    .getByRole("button", { name: words(key) })
    .first()
    .click();

async function startChat(page: Page): Promise<void> {
  await press(page, "home.start");
  await press(page, "rules.ok");
  await expect(page.locator("[data-match-state]")).toBeVisible();
}

test("[I18N-26] texts 40 % longer than English have room: home, preferences and menu", async ({ visit }) => {
  const page = await visit("/", { serviceWorkers: "block" });
  await speakPseudo(page.context());
  await page.reload();
  await expect(page.getByRole("button", { name: words("home.start") })).toBeVisible();
  await expectRoom(page, "visitor");
  await press(page, "login.open");
  await page.getByRole("dialog").waitFor();
  await expectRoom(page, "login");
  await signedIn(page, "Pseudo Home");
  await expectRoom(page, "home");
  await press(page, "home.account");
  await expectRoom(page, "menu");
  await page.keyboard.press("Escape");
  await page.locator("button[aria-labelledby~=home-region]").click();
  await page.getByRole("dialog").waitFor();
  await expectRoom(page, "preferences");
});

test("[I18N-26] texts 40 % longer than English have room: search, call and report", async ({ visit }) => {
  test.setTimeout(180_000);
  const one = await visit("/", { devices: true, serviceWorkers: "block" });
  const other = await visit("/", { devices: true, serviceWorkers: "block" });
  await signedIn(one, "Pseudo One");
  await signedIn(other, "Pseudo Two");
  await press(one, "home.start");
  await one.getByRole("button", { name: words("rules.ok") }).waitFor();
  await expectRoom(one, "rules");
  await press(one, "rules.ok");
  await expectCallState(one, "searching");
  await expectRoom(one, "search");
  await startChat(other);
  await expectCallState(one, "in-call");
  await expectRoom(one, "in-call");
  await press(one, "people.reportName");
  await one.getByRole("dialog").waitFor();
  await expectRoom(one, "report");
});

test("[I18N-26] texts 40 % longer than English have room: shop, profile, account and messages", async ({ visit }) => {
  test.setTimeout(180_000);
  const page = await visit("/", { serviceWorkers: "block" });
  const friend = await visit("/", { serviceWorkers: "block" });
  await signedIn(page, "Pseudo Shop");
  await signedIn(friend, "Pseudo Friend");
  await page.getByRole("banner").locator("button[class*=beans]").click();
  await page.getByRole("radio").first().waitFor();
  await expectRoom(page, "shop");
  await page.keyboard.press("Escape");
  for (const [name, item] of [
    ["profile", "menu.profile"],
    ["people", "menu.people"],
    ["account", "menu.account"],
    ["statement", "menu.beans"],
  ] as const) {
    await press(page, "home.account");
    await page.getByRole("menuitem", { name: words(item) }).click();
    await page.getByRole("dialog").waitFor();
    await expectRoom(page, name);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await befriend(page, friend);
  const [self, other] = await Promise.all([selfOf(friend), selfOf(page)]);
  const said = { user_id: self.user_id, externalId: other.externalId, client_id: "pseudo", text: "Hello" };
  await callAs(friend, "/api/message/send", said);
  await page.reload();
  await page
    .getByRole("banner")
    .getByRole("button", { name: within("home.messages") })
    .click();
  await page.getByRole("navigation").getByRole("button", { name: "Pseudo Friend" }).click();
  await page.getByRole("log").waitFor();
  await expectRoom(page, "messages");
});
