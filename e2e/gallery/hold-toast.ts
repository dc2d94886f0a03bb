import type { Page } from "@playwright/test";
import { toasts } from "../support/people.ts";

/** A notice that has the focus stays for as long as it has it. */
export async function holdToast(page: Page): Promise<void> {
  // By its mark: an open dialog takes the notices from the tree of roles.
  await toasts(page).locator("button").last().focus();
}
