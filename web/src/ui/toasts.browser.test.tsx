import { expect, onTestFinished, test } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { silence } from "#testing/fixture-world.ts";
import { desktop, openPage } from "#testing/open-page.tsx";
import { stubProviderWindow } from "#testing/provider-window.ts";
import { slideToastsIn } from "#ui/toast-causes.ts";
import { showToast } from "#ui/toast-store.ts";

/** Records every line of the two live regions, with its urgency, oldest first. */
function watchAnnouncements(): readonly string[] {
  const said: string[] = [];
  for (const urgency of ["polite", "assertive"]) {
    const region = document.getElementById(`said-${urgency}`);
    if (!region) throw new Error("the page lacks a live region");
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) said.push(`${urgency}: ${node.textContent}`);
    });
    observer.observe(region, { childList: true });
  }
  return said;
}

test("announces an error at once, other toasts politely, each in one region only", async () => {
  const said = watchAnnouncements();
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

test("gives the text of a toast with a button at most three lines, below the line of a lost connection", async () => {
  await openPage();
  const line = document.documentElement.style;
  for (const { width, height } of [desktop, { width: 412, height: 915 }]) {
    await page.viewport(width, height);
    const text = t("error.chunk.text");
    const dismiss = showToast({ type: "error", text, durationMs: null, action: { text: t("error.reload"), run() {} } });
    const words = page.getByText(text, { exact: true }).last();
    await expect.element(words).toBeVisible();
    const lines =
      words.element().getBoundingClientRect().height / parseFloat(getComputedStyle(words.element()).lineHeight);
    expect(lines).toBeLessThan(4);
    const { top } = words.element().getBoundingClientRect();
    line.setProperty("--notice", "40px");
    expect(words.element().getBoundingClientRect().top - top).toBeCloseTo(40);
    line.removeProperty("--notice");
    dismiss();
  }
});

test("slides a toast in from the press that caused it, and from above without one", async () => {
  await openPage();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  slideToastsIn(stop.signal);
  const toasts = page.getByRole("region", { name: t("toast.region") });
  const startOf = (text: string) => {
    const { style } = toasts.getByText(text).element().parentElement!;
    return ["--from-x", "--from-y"].map((name) => style.getPropertyValue(name));
  };
  showToast({ text: "Not caused here" });
  await expect.element(toasts.getByText("Not caused here")).toBeVisible();
  expect(startOf("Not caused here")).toEqual(["", ""]);
  await page.getByRole("button", { name: /^From/ }).click();
  await page.getByRole("button", { name: t("common.save") }).click();
  await expect.element(toasts.getByText(t("pref.saved"))).toBeVisible();
  const [x = 0, y = 0] = startOf(t("pref.saved")).map(parseFloat);
  // The button is below the toast.
  expect(y).toBeGreaterThan(Math.abs(x));
  expect(Math.round(Math.hypot(x, y))).toBeLessThanOrEqual(97);
});
