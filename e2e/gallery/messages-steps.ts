import type { Locator, Page } from "@playwright/test";
import type { Words } from "../support/words.ts";

/** The messages panel, whatever its list column shows. */
export function panelOf(page: Page): Locator {
  return page.getByRole("main").filter({ has: page.locator("#messages-title") });
}

export async function openMessages(page: Page, said: Words): Promise<Locator> {
  // The name continues with the unread count.
  const name = new RegExp(said("home.messages").source.replace(/\$$/, ""), "u");
  await page.getByRole("banner").getByRole("button", { name }).click();
  const panel = panelOf(page);
  await panel.waitFor();
  return panel;
}

/** An entry of the list of conversations or requests. */
export function rowOf(page: Page, name: string): Locator {
  return panelOf(page)
    .getByRole("navigation")
    .getByRole("button")
    .filter({ has: page.getByText(name, { exact: true }) });
}

/** Opens a conversation from the list; returns its text field. */
export async function openThread(page: Page, name: string): Promise<Locator> {
  await rowOf(page, name).click();
  await page.getByRole("log").waitFor();
  return panelOf(page).getByRole("textbox");
}
