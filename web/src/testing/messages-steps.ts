import { expect, onTestFinished } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import type { Inbox } from "#testing/message-fixtures.ts";
import { openPage, type PageOptions } from "#testing/open-page.tsx";

/** Opens Ana's page with the messages of `inbox`. */
export function openWith(
  inbox: Inbox,
  { answers, ...options }: PageOptions & { as?: OwnUser } = {},
): Promise<FixtureWorld> {
  return openPage({ as: ana, ...options, answers: { ...inbox.answers, ...answers } });
}

/** Waits until the page has its chat socket, which delivers events. */
export async function connected(server: FixtureWorld): Promise<void> {
  await expect.poll(() => server.hasSocket && server.socket.heard("hello").length).toBe(1);
}

/** The header's button, whose name continues with the unread count. */
export function messagesButton(): Locator {
  return page.getByRole("banner").getByRole("button", { name: new RegExp(`^${t("home.messages")}`, "u") });
}

/** The messages panel, whatever its list column shows. */
export function panel(): Locator {
  const titles = [t("msg.title"), t("msg.requests"), t("msg.pick.title")];
  return page.getByRole("main", { name: new RegExp(`^(${titles.join("|")})$`, "u") });
}

export function log(): Locator {
  return page.getByRole("log");
}

/** The messages, oldest first. */
export function bubbles(): string[] {
  return [...document.querySelectorAll('[role="log"] p[data-from]')].map(({ textContent }) => textContent);
}

export async function expectBubbles(...texts: string[]): Promise<void> {
  await expect.poll(bubbles).toEqual(texts);
}

export function field(): Locator {
  return panel().getByRole("textbox");
}

/** An entry of the list of conversations, requests or friends. */
export function row(name: string): Locator {
  return panel()
    .getByRole("navigation")
    .getByRole("button", { name: new RegExp(`^${name}`, "u") });
}

export async function openMessages(): Promise<void> {
  await messagesButton().click();
  await expect.element(panel()).toBeVisible();
}

/** Opens a conversation from the list. */
export async function openThread(name: string): Promise<void> {
  if (panel().query() === null) await openMessages();
  await row(name).click();
  await expect.element(log()).toBeVisible();
}

/** Enter sends; Shift+Enter types a line break. */
export async function write(text: string): Promise<void> {
  await field().fill(text);
  await userEvent.keyboard("{Enter}");
  await expect.element(field()).toHaveValue("");
}

/** Chooses an item in the menu of the open conversation. */
export async function chooseAbout(name: string, key: Parameters<typeof t>[0]): Promise<void> {
  await panel()
    .getByRole("button", { name: t("msg.menu", { name: isolate(name) }) })
    .click();
  await page.getByRole("menuitem", { name: t(key), exact: true }).click();
}

/** Makes the browser report no network, until the returned function is called or the test ends. */
export function goOffline(): () => void {
  Object.defineProperty(navigator, "onLine", { configurable: true, value: false });
  const comeBack = () => void Reflect.deleteProperty(navigator, "onLine");
  onTestFinished(comeBack);
  return comeBack;
}
