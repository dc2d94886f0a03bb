import { expect, type Page } from "@playwright/test";
import { deskAnswers, mia } from "@fava/web/testing/desk-fixtures.ts";
import { type Answers, Refusal } from "@fava/web/testing/fixture-world.ts";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";
import type { OpenOptions } from "../support/fixture-page.ts";
import type { Words } from "../support/words.ts";

/** A moderator at a desk with work on every tab. */
export function atDesk(path: string, answers: Answers = {}): OpenOptions {
  return { as: mia, path, answers: { ...deskAnswers(galleryNowMs), ...answers } };
}

/** A server that never responds. */
export const never = (): Promise<never> => new Promise(() => undefined);

/** A server with an internal error. */
export const fault = new Refusal(500);

/** Opens the first case of the queue, which is about Marko. */
export async function openFirstCase(page: Page, said: Words): Promise<void> {
  await page.getByRole("navigation").getByText("Marko").first().waitFor();
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 2, name: said("reason.report.9") })).toBeVisible();
}

/** Opens the case about a person from the queue. */
export async function openCaseOf(page: Page, name: string): Promise<void> {
  const row = page.getByRole("navigation").getByRole("button", { name });
  await row.click();
  await expect(row).toHaveAttribute("aria-current", "true");
  await expect(page.getByRole("complementary", { name })).toBeVisible();
}

/** Presses a key and waits for the dialog that it opens. */
export async function openByKey(page: Page, key: string, title: RegExp): Promise<void> {
  // Only then it listens for keys; the frame of a loading page does not.
  await page.locator('header:not(:has(~ [aria-busy="true"]))').first().waitFor();
  await page.keyboard.press(key);
  await expect(page.getByRole("dialog", { name: title })).toBeVisible();
}

export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** Waits until the toast about an error of the server is gone. */
export async function untilToastGone(page: Page): Promise<void> {
  await expect(page.locator("[data-toasts] [data-type]")).toHaveCount(0);
}

/** Waits for the loading placeholder, which appears after a delay. */
export async function untilLoading(page: Page): Promise<void> {
  // The frame of a loading page looks the same, but has no heading.
  await page.locator("h1").first().waitFor({ state: "attached" });
  await expect(page.locator('[aria-hidden="true"][class*="skeleton"]').first()).toBeVisible();
}
