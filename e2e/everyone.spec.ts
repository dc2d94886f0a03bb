import { expect, type Page } from "@playwright/test";
import { befriend, callAs, selfOf } from "./support/friends.ts";
import { forEveryone } from "./support/for-everyone.ts";
import { test } from "./support/looks.ts";
import { messagesButton, openFromList, panel } from "./support/messages-panel.ts";
import { openPeoplePanel } from "./support/people-panel.ts";
import { expectCallState, startChat } from "./support/people.ts";
import { beginSession } from "./support/session.ts";
import { openShop } from "./support/shop.ts";
import { words } from "./support/words.ts";

// Each test walks many screens in many sizes.
test.setTimeout(240_000);

const button = (page: Page, key: string) => page.getByRole("button", { name: words(key) });

test("[A11Y-20, A11Y-21, A11Y-40] what a visitor sees serves large text, fingers and forced colours", async ({
  visit,
}) => {
  const page = await visit("/");
  await page.getByText(words("home.online")).waitFor();
  await forEveryone(page, "home-visitor");
  await button(page, "login.open").click();
  await page.getByRole("dialog").waitFor();
  await forEveryone(page, "login");
  await button(page, "login.contact").click();
  await page.getByRole("dialog", { name: words("login.contact") }).waitFor();
  await forEveryone(page, "contact");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^From/ }).click();
  await page.getByRole("radio", { name: /^One country/ }).check();
  await page.getByRole("radio", { name: "Brazil" }).waitFor();
  await forEveryone(page, "preferences");
});

test("[A11Y-20, A11Y-21, A11Y-40] the home screen of somebody signed in, shop and profile do", async ({ visit }) => {
  const page = await visit("/", { devices: true });
  await beginSession(page, { name: "Everyone Home" });
  await button(page, "home.account").waitFor();
  await forEveryone(page, "home");
  await button(page, "home.account").click();
  await page.getByRole("menu").waitFor();
  await forEveryone(page, "menu");
  await page.keyboard.press("Escape");
  await openShop(page);
  await forEveryone(page, "shop");
  await page.keyboard.press("Escape");
  await button(page, "home.account").click();
  await page.getByRole("menuitem", { name: words("menu.profile") }).click();
  await page.getByRole("dialog", { name: words("profile.title") }).waitFor();
  await forEveryone(page, "profile");
  await page.keyboard.press("Escape");
  await button(page, "home.account").click();
  await page.getByRole("menuitem", { name: words("menu.account") }).click();
  await page.getByText(words("account.deleteOpen")).waitFor();
  await forEveryone(page, "account");
});

test("[A11Y-20, A11Y-21, A11Y-40] messages and people do", async ({ visit }) => {
  const [page, other] = [await visit("/"), await visit("/")];
  await beginSession(page, { name: "Everyone Ana" });
  await beginSession(other, { name: "Everyone Bo" });
  await button(page, "home.account").waitFor();
  await button(other, "home.account").waitFor();
  await befriend(page, other);
  const [own, friend] = await Promise.all([selfOf(page), selfOf(other)]);
  for (const text of ["Hello, are you there? I found the recipe that I told you about.", "It needs coconut milk."]) {
    const said = { user_id: friend.user_id, externalId: own.externalId, client_id: text.slice(0, 8), text };
    await callAs(other, "/api/message/send", said);
  }
  await messagesButton(page).click();
  await panel(page).getByText("coconut").first().waitFor();
  await forEveryone(page, "messages-list");
  await openFromList(page, "Everyone Bo");
  await forEveryone(page, "messages-thread");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await openPeoplePanel(page);
  await forEveryone(page, "people");
  await page.getByRole("button", { name: words("find.title") }).click();
  await page.getByRole("searchbox").fill("Everyone Bo");
  await page.keyboard.press("Enter");
  await page
    .getByRole("button", { name: words("people.profileOf", { name: "Everyone Bo" }) })
    .last()
    .click();
  await button(page, "other.message").waitFor();
  await forEveryone(page, "other-profile");
});

test("[A11Y-20, A11Y-21, A11Y-40] search, call, report and panic do", async ({ visit }) => {
  const [page, other] = [await visit("/", { devices: true }), await visit("/", { devices: true })];
  await beginSession(page, { name: "Everyone Cy" });
  await beginSession(other, { name: "Everyone Dee" });
  await button(page, "home.account").waitFor();
  await button(other, "home.account").waitFor();
  await button(page, "home.start").click();
  await button(page, "rules.ok").waitFor();
  await forEveryone(page, "rules");
  await button(page, "rules.ok").click();
  await expectCallState(page, "searching");
  await forEveryone(page, "searching");
  await startChat(other);
  await expectCallState(page, "in-call");
  for (const text of ["Hello! Where are you?", "In Berlin, it is raining. And you, on your balcony?"]) {
    await page.getByRole("textbox").fill(text);
    await page.getByRole("textbox").press("Enter");
  }
  await forEveryone(page, "call");
  await page.getByRole("button", { name: words("people.reportName") }).click();
  await page.getByRole("dialog", { name: words("report.title") }).waitFor();
  await forEveryone(page, "report");
  await page.keyboard.press("Escape");
  await page.keyboard.press("x");
  await page.getByRole("heading", { name: words("panic.title") }).waitFor();
  await forEveryone(page, "panic");
  expect(await page.title()).not.toBe("");
});

test("[A11Y-20, A11Y-21, A11Y-40] the pages of text do", async ({ visit }) => {
  const page = await visit("/safety", { expected: /404/ });
  for (const path of ["/safety", "/aboutUs", "/privacyPolicy", "/accessibility", "/transparency", "/appeal", "/404"]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await forEveryone(page, `page-${path.slice(1)}`);
  }
});
