import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { settings } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

test("[HOME-5] displays between 110000 and 111000 online users, whatever the true number is", async () => {
  await openPage({ answers: { getLanguage: { ...settings, online_count_mode: "display", online_count: 7 } } });
  const shown = page.getByRole("banner").getByText(/online$/);
  await expect.element(shown).toBeVisible();
  const count = Number(shown.element().textContent?.replaceAll(/\D/g, ""));
  expect(count).toBeGreaterThanOrEqual(110_000);
  expect(count).toBeLessThanOrEqual(111_000);
});
