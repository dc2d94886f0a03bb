import type { Page } from "@playwright/test";
import { toasts } from "../support/people.ts";

/** Focuses the toast, which stays while it has the focus. */
export async function holdToast(page: Page): Promise<void> {
  // By its mark, because an open dialog hides toasts from the accessibility tree.
  await toasts(page).locator("button").last().focus();
}
