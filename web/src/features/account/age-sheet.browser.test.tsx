import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { formatTime } from "#lib/format-date.ts";
import { t } from "#lib/i18n.ts";
import { ana, neededAgeCheck, noAgeCheck } from "#testing/fixtures.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { openPage } from "#testing/open-page.tsx";

const vendor = "Sandbox";
const refused = new Refusal(403, { reason: "age_check", why: "country", state: "none", retry_at: null });

/** Presses Start in a country that needs a check; the vendor's window is a fake one. */
async function open(info = neededAgeCheck) {
  const address = { replace: vi.fn<(url: string) => void>() };
  const shown = {
    closed: false,
    opener: null,
    document: document.implementation.createHTMLDocument(),
    location: address,
  };
  const vendorWindow = { ...shown, focus: vi.fn<() => void>(), close: vi.fn<() => void>() };
  const opened = vi.spyOn(window, "open").mockReturnValue(vendorWindow as unknown as Window);
  const answers = { matchStart: refused, ageInfo: info };
  const server = await openPage({ as: ana, stored: { neverShowRule: "1" }, answers });
  await page.getByRole("button", { name: t("home.start") }).click();
  const sheet = page.getByRole("dialog", { name: t(info.vendor === null ? "ageCheck.closedTitle" : "ageCheck.title") });
  await expect.element(sheet).toBeVisible();
  return { server, sheet, vendorWindow, opened };
}

test("opens the vendor in a window, waits, and offers Start after the pass", async () => {
  const { server, sheet, vendorWindow } = await open();
  await expect.element(sheet.getByText(t("ageCheck.text", { vendor }))).toBeVisible();
  server.answer({ ageBegin: { url: "/sandbox/age/one" }, ageInfo: { ...neededAgeCheck, state: "pending" } });
  await sheet.getByRole("button", { name: t("ageCheck.begin", { vendor }) }).click();
  await expect.element(sheet.getByText(t("ageCheck.pending", { vendor }))).toBeVisible();
  expect(vendorWindow.location.replace).toHaveBeenCalledWith("/sandbox/age/one");
  await sheet.getByRole("button", { name: t("pay.showAgain") }).click();
  expect(vendorWindow.focus).toHaveBeenCalledOnce();
  expect(server.asked("ageBegin")).toHaveLength(1);
  server.answer({ ageInfo: { ...noAgeCheck, state: "passed" } });
  await expect.element(sheet.getByText(t("ageCheck.passed"))).toBeVisible();
});

test("offers a document after a failed estimate", async () => {
  const { server, sheet } = await open({ ...neededAgeCheck, state: "failed", methods: ["document"] });
  await expect.element(sheet.getByText(t("ageCheck.failed", { vendor }))).toBeVisible();
  server.answer({ ageBegin: { url: "/sandbox/age/two" } });
  await sheet.getByRole("button", { name: t("ageCheck.document") }).click();
  await vi.waitFor(() => expect(server.asked("ageBegin")).toMatchObject([{ method: "document" }]));
});

test("shows a link where the browser blocks the window, and a vendor that is away", async () => {
  const { server, sheet, opened } = await open();
  server.answer({ ageBegin: new Refusal(503, { retry_after: 30 }) });
  await sheet.getByRole("button", { name: t("ageCheck.begin", { vendor }) }).click();
  await expect.element(sheet.getByText(t("ageCheck.away", { vendor }))).toBeVisible();
  opened.mockReturnValue(null);
  server.answer({ ageBegin: { url: "/sandbox/age/three" } });
  await sheet.getByRole("button", { name: t("ageCheck.begin", { vendor }) }).click();
  await expect
    .element(sheet.getByRole("link", { name: t("ageCheck.open") }))
    .toHaveAttribute("href", "/sandbox/age/three");
});

test("says when the next try is, who decides, and which country is closed", async () => {
  const retryAt = Date.now() + 86_400_000;
  const { sheet } = await open({ ...neededAgeCheck, state: "failed", methods: [], retry_at: retryAt });
  await expect.element(sheet.getByText(t("ageCheck.wait", { time: formatTime(retryAt) }))).toBeVisible();
  await expect.element(sheet.getByRole("button", { name: t("login.contact") })).toBeVisible();
});

test("says that the country is closed where the site has no vendor", async () => {
  const { sheet } = await open({ ...neededAgeCheck, methods: [], vendor: null });
  await expect.element(sheet.getByText(t("ageCheck.closedText"))).toBeVisible();
});
