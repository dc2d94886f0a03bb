import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { settings } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const helpLines = [
  { name: "Line of the test", phone: "+1 (555) 01", url: "https://line.test/" },
  { name: "Line without a page", phone: "112", url: "" },
];

test("shows the help lines of the settings, by phone and page", async () => {
  await openPage({ path: "/safety", answers: { getLanguage: { ...settings, help_lines: helpLines } } });
  await expect.element(page.getByRole("heading", { name: t("safety.helpLines") })).toBeVisible();
  const line = page.getByRole("listitem").filter({ hasText: "Line of the test" });
  await expect.element(line.getByRole("link", { name: /555/ })).toHaveAttribute("href", "tel:+155501");
  await expect.element(line.getByRole("link", { name: /line\.test/ })).toHaveAttribute("href", "https://line.test/");
  const other = page.getByRole("listitem").filter({ hasText: "Line without a page" });
  expect(other.getByRole("link").elements()).toHaveLength(1);
});
