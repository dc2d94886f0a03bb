import { expect, type Locator, type Page } from "@playwright/test";
import { callAs, selfOf } from "./friends.ts";
import { words } from "./words.ts";

/** Matches the text of a key anywhere. */
export function within(key: string): RegExp {
  return new RegExp(words(key).source.slice(1, -1), "u");
}

export function messagesButton(page: Page): Locator {
  return page.getByRole("banner").getByRole("button", { name: /^Messages/ });
}

export function panel(page: Page): Locator {
  return page.getByRole("main", { name: /^(Messages|Message requests|New message)$/ });
}

export function log(page: Page): Locator {
  return page.getByRole("log");
}

export function bubbles(page: Page): Locator {
  return log(page).locator("p[data-from]");
}

export function field(page: Page): Locator {
  return panel(page).getByRole("textbox");
}

export function row(page: Page, name: string): Locator {
  return panel(page).getByRole("navigation").getByRole("button", { name });
}

/** Starts a conversation with a friend, from the list of friends. */
export async function startThread(page: Page, name: string): Promise<void> {
  if (!(await panel(page).isVisible())) await messagesButton(page).click();
  await panel(page)
    .getByRole("button", { name: words("msg.new") })
    .first()
    .click();
  await panel(page).getByRole("button", { name }).click();
  await expect(field(page)).toBeVisible();
}

export async function openFromList(page: Page, name: string): Promise<void> {
  if (!(await panel(page).isVisible())) await messagesButton(page).click();
  await row(page, name).click();
  await expect(log(page)).toBeVisible();
}

/** Opens the menu of the open conversation. */
export async function openMenu(page: Page, name: string): Promise<void> {
  await panel(page)
    .getByRole("button", { name: words("msg.menu", { name }) })
    .click();
}

/** Enter sends; Shift+Enter types a line break. */
export async function write(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
  await expect(field(page)).toHaveValue("");
}

export async function sendRequest(from: Page, to: Page, text: string): Promise<void> {
  const [self, other] = await Promise.all([selfOf(from), selfOf(to)]);
  const said = { user_id: self.user_id, externalId: other.externalId, client_id: "request", text };
  await callAs(from, "/api/message/send", said);
}

export async function signOut(page: Page): Promise<void> {
  if (await panel(page).isVisible()) {
    await panel(page)
      .getByRole("button", { name: words("msg.close") })
      .last()
      .click();
  }
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words("menu.signOut") }).click();
  await expect(page.getByRole("button", { name: words("login.open") })).toBeVisible();
}
