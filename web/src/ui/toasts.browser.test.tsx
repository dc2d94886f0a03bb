import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { silence } from "#testing/fixture-world.ts";
import { openPage } from "#testing/open-page.tsx";
import { stubProviderWindow } from "#testing/provider-window.ts";

/** Keeps every line of the two regions for screen readers, with its urgency, oldest first. */
function watchSaid(): readonly string[] {
  const said: string[] = [];
  for (const urgency of ["polite", "assertive"]) {
    const region = document.getElementById(`said-${urgency}`);
    if (!region) throw new Error("the page has two regions that speak");
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) said.push(`${urgency}: ${node.textContent}`);
    });
    observer.observe(region, { childList: true });
  }
  return said;
}

test("[A11Y-10] an error is said at once, other notices politely, each by one region alone", async () => {
  const said = watchSaid();
  await openPage({ answers: { login: silence } });
  const chooser = stubProviderWindow();
  await page.getByRole("button", { name: t("login.with", { name: "Google" }) }).click();
  await expect.poll(() => chooser.isOpen).toBe(true);
  chooser.choose();
  const toasts = page.getByRole("region", { name: t("toast.region") });
  await expect.element(toasts).toHaveTextContent(t("error.server"));
  await expect.poll(() => said).toEqual([`assertive: ${t("error.server")}`]);
  await page.getByRole("button", { name: /^From/ }).click();
  await page.getByRole("button", { name: t("common.save") }).click();
  await expect.element(toasts.getByText(t("pref.saved"))).toBeVisible();
  await expect.poll(() => said).toEqual([`assertive: ${t("error.server")}`, `polite: ${t("pref.saved")}`]);
  const region = toasts.element();
  expect(region.getAttribute("aria-live")).toBe("off");
  expect(region.querySelector("[role], [aria-live], output")).toBeNull();
});
