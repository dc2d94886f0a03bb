import { expect, type Locator, type Page } from "@playwright/test";
import { befriend } from "./support/friends.ts";
import {
  choose,
  chooseInMenu,
  expectFocusSeen,
  expectNoPointer,
  expectOnTitle,
  press,
  tabTo,
  watchPointers,
} from "./support/keyboard.ts";
import { log, messagesButton, panel } from "./support/messages-panel.ts";
import { expectCallState, expectHome, expectLeftBy, expectToast, startChat, test } from "./support/people.ts";
import { startOf } from "./support/people-panel.ts";
import { complete, expectBalance, balanceOf } from "./support/shop.ts";
import { words } from "./support/words.ts";

// Each of these stories is told without a mouse and without a finger; other people may use theirs.
test.setTimeout(180_000);

const before = { before: watchPointers } as const;
const dialog = (page: Page, key: string) => page.getByRole("dialog", { name: words(key) });
const button = (place: Page | Locator, key: string) => place.getByRole("button", { name: words(key) });
const account = (page: Page) => button(page, "home.account");
const start = (page: Page) => button(page, "home.start");
const menuItem = (page: Page, key: string) => page.getByRole("menuitem", { name: words(key) });

/** Signs in and gives birthday and gender by keys alone. */
async function signInByKeys(page: Page, name: string): Promise<void> {
  await press(page, button(page, "login.open"));
  const login = dialog(page, "login.tagline");
  await expectOnTitle(login);
  const opened = page.waitForEvent("popup");
  await press(page, login.getByRole("button", { name: words("login.with", { name: "Google" }) }));
  const chooser = await opened;
  await chooser.waitForLoadState();
  const closed = chooser.waitForEvent("close");
  await tabTo(chooser, chooser.locator("#name"));
  await chooser.keyboard.type(name);
  // The window may be gone before Playwright hears that the key was pressed.
  await chooser.keyboard.press("Enter").catch((error: unknown) => {
    if (!chooser.isClosed()) throw error;
  });
  await closed;
  const birthday = dialog(page, "birth.title");
  await expectOnTitle(birthday);
  await tabTo(page, birthday.getByLabel(words("birth.year")));
  await page.keyboard.type("1999");
  await expect(birthday.getByLabel(words("birth.year"))).toHaveValue("1999");
  await press(page, button(birthday, "common.next"));
  await press(page, button(page, "birth.yes"));
  const gender = dialog(page, "gender.title");
  await expectOnTitle(gender);
  await choose(page, gender, gender.getByRole("radio", { name: words("gender.female") }));
  await press(page, button(gender, "common.next"));
  await expect(gender).toBeHidden();
  await expect(account(page)).toBeVisible();
}

test("[A11Y-1, A11Y-2] a visitor skips the header, opens and closes dialogs and menus, and signs in", async ({
  visitor,
}) => {
  const page = await visitor(before);
  const skip = page.getByRole("link", { name: words("common.skip") });
  await page.keyboard.press("Tab");
  await expect(skip).toBeFocused();
  await expectFocusSeen(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("radio").first()).toBeFocused();

  // What opened a menu or dialog has the focus again when it closes; Escape closes the top one only.
  const language = button(page, "home.language");
  await tabTo(page, language, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(language).toBeFocused();
  await press(page, button(page, "login.open"));
  const login = dialog(page, "login.tagline");
  await expectOnTitle(login);
  await press(page, button(login, "login.contact"));
  await expectOnTitle(dialog(page, "login.contact"));
  await page.keyboard.press("Escape");
  await expect(dialog(page, "login.contact")).toBeHidden();
  await expect(button(page, "login.open")).toBeFocused();

  await signInByKeys(page, "Keys Visitor");
  await expectNoPointer(page);
});

test("[A11Y-1, A11Y-3] filters are chosen and kept, and the focus returns to what opened them", async ({ visitor }) => {
  const page = await visitor(before);
  const meet = page.getByRole("group", { name: words("pref.meet") });
  await choose(page, meet, meet.getByRole("radio", { name: /^Men/ }));
  const region = page.getByRole("button", { name: /^From/ });
  await press(page, region);
  const preferences = dialog(page, "pref.title");
  await expectOnTitle(preferences);
  const from = preferences.getByRole("group").filter({ has: page.getByRole("radio", { name: /^Global/ }) });
  await choose(page, from.last(), preferences.getByRole("radio", { name: /^One country/ }));
  await tabTo(page, preferences.getByRole("searchbox"));
  await page.keyboard.type("braz");
  await tabTo(page, preferences.getByRole("radio", { name: "Brazil" }));
  await page.keyboard.press("Space");
  await press(page, button(preferences, "common.save"));
  await expectToast(page, "pref.saved");
  await expect(region).toContainText("Brazil");
  await expect(region).toBeFocused();
  await expectNoPointer(page);
});

test("[A11Y-1, A11Y-4] somebody starts, talks, writes, reports, blocks, goes on and ends", async ({
  person,
  visitor,
}) => {
  const page = await visitor(before);
  await signInByKeys(page, "Keys Caller");
  const [ana, bo] = await Promise.all([person({ name: "Ana Called" }), person({ name: "Bo Called" })]);
  await press(page, start(page));
  const rules = dialog(page, "rules.title");
  await expectOnTitle(rules);
  await press(page, button(rules, "rules.ok"));
  await expectCallState(page, "searching");
  // The focus is within the call, on nothing that a key would press by accident.
  await expect(page.locator("#call main")).toBeFocused();
  await startChat(ana);
  await expectCallState(page, "in-call");
  await page.keyboard.press("t");
  const field = page.getByRole("textbox");
  await expect(field).toBeFocused();
  await expectFocusSeen(page);
  await page.keyboard.type("hello by keys");
  await page.keyboard.press("Enter");
  await expect(ana.getByRole("log").getByText("hello by keys")).toBeVisible();
  // Escape leaves the field first, and does not end the call.
  await page.keyboard.press("Escape");
  await expect(field).not.toBeFocused();
  await expectCallState(page, "in-call");

  const flag = page
    .getByRole("button", { name: startOf("people.reportName") })
    .or(page.getByRole("button", { name: words("people.reportName") }));
  await press(page, flag.first());
  const report = dialog(page, "report.title");
  await expectOnTitle(report);
  await page.keyboard.press("Escape");
  await expect(report).toBeHidden();
  await expect(flag.first()).toBeFocused();
  await expectCallState(page, "in-call");
  await page.keyboard.press("Enter");
  await choose(page, report, report.getByRole("radio").nth(1));
  await press(page, button(report, "report.send"));
  await expectToast(page, "report.sent");
  await expect(report).toBeHidden();
  await expect(flag.first()).toBeFocused();

  await page.keyboard.press("ArrowRight");
  await expectLeftBy(ana, "Keys Caller");
  await ana.keyboard.press("Escape");
  await expectCallState(page, "searching");
  await startChat(bo);
  await expectCallState(page, "in-call");
  await press(page, page.getByRole("button", { name: words("people.blockName", { name: "Bo Called" }) }));
  await expectCallState(page, "searching");
  await press(page, button(page, "search.stop"));
  await expectHome(page);
  await expect(page.locator("#page").locator("main, main *").and(page.locator(":focus"))).toHaveCount(1);
  await expectNoPointer(page);
});

test("[A11Y-1, A11Y-4] the panic key and every way on from its page", async ({ person, visitor }) => {
  const page = await visitor(before);
  await signInByKeys(page, "Keys Flees");
  const other = await person({ name: "Otto Fled" });
  await startChat(other);
  await press(page, start(page));
  await press(page, button(page, "rules.ok"));
  await expectCallState(page, "in-call");
  await page.keyboard.press("x");
  await expect(page.getByRole("heading", { name: words("panic.title") })).toBeFocused();
  const reasons = page.getByRole("group", { name: words("panic.reason") });
  await choose(page, reasons, reasons.getByRole("radio").first());
  await press(page, button(page, "panic.home"));
  await expectHome(page);
  await expectNoPointer(page);
});

test("[A11Y-1, A11Y-3] beans are bought with the sandbox card", async ({ visitor }) => {
  const page = await visitor(before);
  await signInByKeys(page, "Keys Buyer");
  await press(page, balanceOf(page));
  const shop = dialog(page, "shop.title");
  await expectOnTitle(shop);
  await choose(page, shop, shop.getByRole("radio", { name: /^10,000/ }));
  await press(page, button(shop, "shop.continue"));
  const payment = dialog(page, "pay.title");
  const opened = page.waitForEvent("popup");
  await press(page, button(payment, "pay.go"));
  const card = await opened;
  await card.waitForURL(/\/sandbox\/pay\//);
  await card.waitForLoadState();
  await tabTo(card, card.locator("input[name=number]"));
  await card.keyboard.press("ControlOrMeta+A");
  await card.keyboard.type("4242 4242 4242 4242");
  await press(card, card.locator("button.pay"));
  await expect(complete(page).getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }));
  await press(page, button(complete(page), "pay.done"));
  await expect(complete(page)).toBeHidden();
  await expectBalance(page, "10,000");
  await expect(balanceOf(page)).toBeFocused();
  await expectNoPointer(page);
});

test("[A11Y-1, A11Y-3] messages are opened, written and closed", async ({ person, visitor }) => {
  const page = await visitor(before);
  await signInByKeys(page, "Keys Writer");
  const friend = await person({ name: "Fia Reads" });
  await befriend(page, friend);
  await press(page, messagesButton(page));
  await expect(panel(page)).toBeFocused();
  await press(page, button(panel(page), "msg.new").first());
  await press(page, panel(page).getByRole("button", { name: "Fia Reads" }));
  const field = panel(page).getByRole("textbox");
  await expect(field).toBeFocused();
  await page.keyboard.type("written without a mouse");
  await page.keyboard.press("Enter");
  await expect(log(page).getByText("written without a mouse")).toBeVisible();
  await tabTo(page, log(page), "Shift+Tab");
  // Out of the thread to its row, out of the thread, and out of the panel.
  for (let layer = 0; layer < 3 && (await panel(page).isVisible()); layer += 1) await page.keyboard.press("Escape");
  await expect(panel(page)).toBeHidden();
  await expect(messagesButton(page)).toBeFocused();
  await expectNoPointer(page);
});

test("[A11Y-1, A11Y-3] the profile is edited, somebody is found and followed, account and data are read, and the way out is found", async ({
  person,
  visitor,
}) => {
  const page = await visitor(before);
  await signInByKeys(page, "Keys Editor");
  await person({ name: "Nell Unfollowed" });
  await chooseInMenu(page, account(page), menuItem(page, "menu.profile"));
  const profile = dialog(page, "profile.title");
  await expectOnTitle(profile);
  await tabTo(page, profile.getByLabel(words("profile.about")));
  await page.keyboard.type("I like long walks and short calls.");
  await press(page, button(profile, "profile.save"));
  await expectToast(page, "profile.saved");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(profile).toBeHidden();
  await expect(account(page)).toBeFocused();

  await chooseInMenu(page, account(page), menuItem(page, "menu.people"));
  const people = dialog(page, "people.title");
  await expectOnTitle(people);
  await press(page, button(people, "find.title"));
  const find = dialog(page, "find.title");
  await expectOnTitle(find);
  await tabTo(page, find.getByRole("searchbox"));
  await page.keyboard.type("Nell Unfollowed");
  await page.keyboard.press("Enter");
  const follow = find.getByRole("button", { name: startOf("people.follow") });
  await press(page, follow.first());
  await expect(find.getByRole("button", { name: startOf("people.following"), pressed: true })).toBeFocused();
  // The top one alone closes.
  await page.keyboard.press("Escape");
  await expect(find).toBeHidden();
  await expect(people).toBeVisible();
  await expect(button(people, "find.title")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(people).toBeHidden();
  await expect(account(page)).toBeFocused();

  await chooseInMenu(page, account(page), menuItem(page, "menu.account"));
  const data = dialog(page, "account.title");
  await expectOnTitle(data);
  await press(page, button(data, "account.deleteOpen"));
  const leaving = page.getByRole("alertdialog").or(dialog(page, "account.deleteTitle")).last();
  await expect(leaving).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(button(data, "account.deleteOpen")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(data).toBeHidden();
  await chooseInMenu(page, account(page), menuItem(page, "menu.signOut"));
  await expect(button(page, "login.open")).toBeVisible();
  await expectNoPointer(page);
});
