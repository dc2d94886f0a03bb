import { writeFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { messageSend } from "@fava/wire/endpoints/messages.ts";
import { myInfo } from "@fava/wire/endpoints/profile.ts";
import { type ApiUser, apiUser, apiUserOf, befriendByApi, reportBy } from "../support/api-user.ts";
import { within } from "../support/messages-panel.ts";
import { signInByApi } from "../support/session.ts";
import { keys, type Target, type WebkitBrowser } from "../support/webdriver.ts";
import { button, dialog, look, test } from "../support/webkit.ts";
import { words, wordsOf } from "../support/words.ts";

const publicPaths = [
  "/safety",
  "/aboutUs",
  "/communityRules",
  "/transparency",
  "/userAgreement",
  "/privacyPolicy",
  "/accessibility",
  "/404",
  "/there/is/nothing",
];
const heading = (level: number): Target => ({ css: `h${level}` });
const account = button("home.account");
const balance: Target = { css: "header button", name: /\d.* (?:beans?|حبة)$/ };
const log: Target = { css: "[role=log]" };
const queue: Target = { css: "nav", name: words("desk.tab.reports") };

/** Waits until the text of a part of the page matches. */
async function expectText(browser: WebkitBrowser, target: Target, text: string | RegExp): Promise<void> {
  const expected = typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text);
  await expect.poll(async () => (await browser.textsOf(target)).join("\n")).toEqual(expected);
}

async function expectGone(browser: WebkitBrowser, target: Target): Promise<void> {
  await expect.poll(() => browser.textsOf(target)).toEqual([]);
}

/** One line of text, so that the other user has a conversation. */
async function writeTo(from: ApiUser, to: ApiUser, text = "are you there?"): Promise<void> {
  const { externalId } = await to.ask(myInfo, { user_id: to.userId });
  await from.ask(messageSend, { user_id: from.userId, externalId, client_id: text, text });
}

async function openFromMenu(browser: WebkitBrowser, key: string): Promise<void> {
  await browser.click(account);
  await browser.click(button(key));
}

test("signs in through the provider's window, and asks birthday and gender once", async ({ visit }, testInfo) => {
  const browser = await visit("/");
  await look(browser, "home", testInfo);
  await browser.click({ css: "button", name: /Google/ });
  await browser.toOpened();
  await browser.type({ css: "#name" }, `Wanda WebKit${keys.enter}`);
  await browser.toFirst();
  const questions = dialog("complete.title");
  await browser.textOf(questions);
  await look(browser, "questions", testInfo);
  await browser.choose({ css: "select", name: words("birth.year"), within: questions }, "1990");
  await browser.click({ css: "label", name: words("gender.female"), within: questions });
  await browser.click(button("common.next", questions));
  await expectGone(browser, questions);
  await browser.reload();
  await browser.textOf(account);
  await browser.click(button("home.start"));
  await browser.textOf(dialog("unsupported.title"));
});

test("tells a user that the browser has no calls, before it asks for the camera and searches", async ({
  visit,
  product,
}, testInfo) => {
  const session = await signInByApi(product.url, { name: "Wim WebKit" });
  for (const as of [undefined, session]) {
    const browser = await visit("/", { hasDevices: true, ...(as && { as }) });
    expect(await browser.run(() => typeof RTCPeerConnection)).toBe("undefined");
    await browser.run(() => {
      const { mediaDevices } = navigator;
      mediaDevices.getUserMedia = () => Promise.reject(new Error("the page asked for the camera"));
    });
    await browser.click(button("home.start"));
    const told = dialog("unsupported.title");
    await expectText(browser, told, within("unsupported.blocked"));
    await expectText(browser, told, /Chrome or Edge \d+, Firefox \d+, Safari [\d.]+/);
    await look(browser, as ? "no-calls-member" : "no-calls-visitor", testInfo);
    await browser.click(button("common.ok", told));
    await expectGone(browser, told);
    expect(await browser.textsOf({ css: "[data-match-state]" })).toEqual([]);
  }
});

test("buys beans with a card, and shows the receipt", async ({ visit, product }, testInfo) => {
  const as = await signInByApi(product.url, { name: "Willa WebKit" });
  const browser = await visit("/", { as });
  await browser.click(balance);
  const shop = dialog("shop.title");
  await browser.click({ css: "label", name: /\b10,000 beans/, within: shop });
  await look(browser, "shop", testInfo);
  await browser.click(button("shop.continue", shop));
  await browser.click(button("pay.go", dialog("pay.title")));
  await browser.toOpened();
  await browser.type({ css: "input[name=number]" }, "4242424242424242");
  await browser.click({ css: "button.pay" });
  await expectText(browser, heading(1), within("pay.completeTitle"));
  await browser.closeOpened();
  const complete = dialog("pay.completeTitle");
  await expectText(browser, complete, "$9.99");
  await look(browser, "paid", testInfo);
  await browser.click(button("pay.done", complete));
  await browser.textOf({ ...balance, name: /^10,000 beans$/ });

  await openFromMenu(browser, "menu.beans");
  const statement = dialog("statement.title");
  await expectText(browser, { css: "tbody tr", within: statement }, "+10,000");
  await look(browser, "statement", testInfo);
  await browser.click(button("statement.receipt", statement));
  const receipt = dialog("receipt.title");
  await expectText(browser, receipt, "$9.99");
  await expectText(browser, receipt, within("receipt.state.paid"));
  await look(browser, "receipt", testInfo);
});

test("exchanges messages with a friend", async ({ visit, product }, testInfo) => {
  const as = await signInByApi(product.url, { name: "Wes WebKit" });
  const [wes, bo] = [apiUserOf(product.url, as), await apiUser(product.url, { name: "Bo Writes" })];
  await befriendByApi(wes, bo);
  const browser = await visit("/", { as });
  const messages: Target = { css: "header button", name: /^Messages/ };
  await browser.textOf(messages);
  await writeTo(bo, wes);
  await browser.click({ ...messages, name: /1 unread/ });
  await browser.click({ css: "nav button", name: /Bo Writes/ });
  await expectText(browser, log, "are you there?");
  await browser.type({ css: "textarea" }, `yes, in WebKit${keys.enter}`);
  await expectText(browser, log, /yes, in WebKit[\s\S]*Sent/);
  await look(browser, "thread", testInfo);
  await writeTo(bo, wes, "good");
  await expectText(browser, log, /good$/m);
});

test("changes the profile, with a photo", async ({ visit, product }, testInfo) => {
  const as = await signInByApi(product.url, { name: "Wren WebKit" });
  const browser = await visit("/", { as });
  await browser.textOf(account);
  const file = testInfo.outputPath("photo.png");
  writeFileSync(file, await browser.picture());
  await openFromMenu(browser, "menu.profile");
  const profile = dialog("profile.title");
  const place: Target = { css: "input", name: words("profile.location"), within: profile };
  await browser.type(place, "Lisbon");
  await browser.click(button("profile.save", profile));
  await browser.textOf({ css: "[data-toasts] [data-type]", name: within("profile.saved") });
  await browser.chooseFile(file);
  await expectText(browser, { css: "[data-photo]", within: profile }, within("photo.waiting"));
  await look(browser, "profile", testInfo);
  await browser.reload();
  await openFromMenu(browser, "menu.profile");
  await browser.textOf(profile);
  await expect.poll(() => browser.run(() => document.querySelectorAll("[data-photo] img").length)).toBe(1);
});

test("decides a report at the desk by keyboard", async ({ visit, product }, testInfo) => {
  const ben = await apiUser(product.url, { name: "Ben Bothers" });
  const rita = await apiUser(product.url, { name: "Rita Reports" });
  await reportBy(rita, await ben.ask(myInfo, { user_id: ben.userId }), 5);
  const browser = await visit("/reportReview", { as: await signInByApi(product.url, "mia") });
  await expectText(browser, queue, "Ben Bothers");
  await browser.press("j");
  await browser.textOf({ css: "h2", name: /^Ben Bothers$/ });
  await look(browser, "desk", testInfo);
  await browser.press(keys.enter);
  await expectText(browser, { css: "main" }, within("desk.claim.mine"));
  await browser.press("w");
  await expectText(browser, { css: "[role=status]" }, within("desk.undo"));
  await expect.poll(async () => (await browser.textsOf(queue)).join()).not.toContain("Ben Bothers");
  for (const path of [
    "/reportReview/appeals",
    "/reportReview/texts",
    "/reportReview/figures",
    "/avatarAudit",
    "/photoReview",
  ]) {
    await browser.open(product.url + path);
    await browser.textOf(heading(1));
  }
});

test("shows the public pages, and the page of an unknown address", async ({ visit, product }, testInfo) => {
  const browser = await visit("/robots.txt");
  for (const path of publicPaths) {
    await browser.open(product.url + path);
    await browser.textOf(heading(1));
    await look(browser, path.slice(1).replaceAll("/", "-"), testInfo);
  }
});

for (const [language, how] of [
  ["ar", "in Arabic"],
  ["en", "in the dark"],
] as const) {
  test(`shows home, shop, messages, profile and a public page ${how}`, async ({ visit, product }, testInfo) => {
    const said = wordsOf(language);
    const as = await signInByApi(product.url, { name: `Wade ${how}` });
    const [wade, bo] = [apiUserOf(product.url, as), await apiUser(product.url, { name: `Bo ${how}` })];
    await befriendByApi(wade, bo);
    await writeTo(wade, bo);
    const browser = await visit("/", { as, dark: language === "en" });
    if (language === "ar") {
      await browser.click(button("home.language"));
      await browser.click(button(/^العربية/));
    }
    await expectText(browser, heading(1), said("home.ready"));
    expect(await browser.run(() => document.documentElement.dir)).toBe(language === "ar" ? "rtl" : "ltr");
    await look(browser, "home", testInfo);
    await browser.click(balance);
    await browser.textOf({ css: "label", within: dialog(said("shop.title")) });
    await look(browser, "shop", testInfo);
    await browser.press(keys.escape);
    await expectGone(browser, dialog(said("shop.title")));
    await browser.click({ css: "header button", name: said("home.messages") });
    await browser.click({ css: "nav button", name: /^Bo / });
    await browser.textOf(log);
    await look(browser, "thread", testInfo);
    await browser.click(button(said("home.account")));
    await browser.click(button(said("menu.profile")));
    await browser.textOf({ css: "[data-photo], button", within: dialog(said("profile.title")) });
    await look(browser, "profile", testInfo);
    await browser.open(`${product.url}/safety`);
    await browser.textOf(heading(1));
    await look(browser, "safety", testInfo);
  });
}
