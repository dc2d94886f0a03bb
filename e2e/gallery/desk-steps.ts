import { expect, type Page } from "@playwright/test";
import { deskAnswers, mia } from "@fava/web/testing/desk-fixtures.ts";
import { type Answers, Refusal } from "@fava/web/testing/fixture-world.ts";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";
import type { OpenOptions } from "../support/fixture-page.ts";
import type { Words } from "../support/words.ts";

/** A moderator at a desk that has work on every tab. */
export function atDesk(path: string, answers: Answers = {}): OpenOptions {
  return { as: mia, path, answers: { ...deskAnswers(galleryNowMs), ...answers } };
}

/** A server that takes its time. */
export const never = (): Promise<never> => new Promise(() => undefined);

/** A server that has a fault. */
export const fault = new Refusal(500);

/** Opens the first case of the queue, which is about Marko. */
export async function openFirstCase(page: Page, said: Words): Promise<void> {
  await page.getByRole("navigation").getByText("Marko").first().waitFor();
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 2, name: said("reason.report.9") })).toBeVisible();
}

/** Opens the case about somebody by the queue. */
export async function openCaseOf(page: Page, name: string): Promise<void> {
  const row = page.getByRole("navigation").getByRole("button", { name });
  await row.click();
  await expect(row).toHaveAttribute("aria-current", "true");
  await expect(page.getByRole("complementary", { name })).toBeVisible();
}

/** Presses a key and waits for the dialog that it opens. */
export async function openByKey(page: Page, key: string, title: RegExp): Promise<void> {
  // Only then it listens; the frame of a page that is on its way does not.
  await page.locator('header:not(:has(~ [aria-busy="true"]))').first().waitFor();
  await page.keyboard.press(key);
  await expect(page.getByRole("dialog", { name: title })).toBeVisible();
}

export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** A fault of the server is told for a moment above everything else. */
export async function untilTold(page: Page): Promise<void> {
  await expect(page.locator("[data-toasts] [data-type]")).toHaveCount(0);
}

/** What stands in place of what is loading; it is not there at once. */
export async function untilLoading(page: Page): Promise<void> {
  // The frame of a page that is on its way looks alike, and has no heading.
  await page.locator("h1").first().waitFor({ state: "attached" });
  await expect(page.locator('[aria-hidden="true"][class*="skeleton"]').first()).toBeVisible();
}
