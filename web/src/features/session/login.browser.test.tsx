import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { settings } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";

const login = () => page.getByRole("dialog", { name: t("login.tagline") });
const contact = () => page.getByRole("dialog", { name: t("login.contact") });
const opener = () => page.getByRole("button", { name: t("login.open"), exact: true });

async function openPopup(): Promise<void> {
  await opener().click();
  await expect.element(login()).toBeVisible();
}

/** Presses the page beside the open dialog. */
async function pressBackdrop(y: number): Promise<void> {
  const backdrop = document.elementFromPoint(10, y);
  await userEvent.click(backdrop ?? document.body, { position: { x: 10, y } });
}

test("offers three providers with the same weight, and closes by Escape, backdrop and cross", async () => {
  await openPage();
  await openPopup();
  await expect.element(login().getByRole("heading")).toHaveFocus();
  const looks = ["Google", "Facebook", "Apple"].map((name) => {
    const button = login()
      .getByRole("button", { name: t("login.with", { name }) })
      .element();
    const { backgroundColor, color, fontWeight, fontSize, borderColor } = getComputedStyle(button);
    const { width, height } = button.getBoundingClientRect();
    return { backgroundColor, color, fontWeight, fontSize, borderColor, width, height };
  });
  expect(looks[1]).toEqual(looks[0]);
  expect(looks[2]).toEqual(looks[0]);

  await userEvent.keyboard("{Escape}");
  await expect.element(login()).not.toBeInTheDocument();
  await expect.element(opener()).toHaveFocus();
  await openPopup();
  await pressBackdrop(450);
  await expect.element(login()).not.toBeInTheDocument();
  await page.viewport(520, 900);
  await openPopup();
  await login()
    .getByRole("button", { name: t("common.close") })
    .click();
  await expect.element(login()).not.toBeInTheDocument();
});

test("offers only the configured provider on home and in the dialog", async () => {
  const meta = Object.assign(document.createElement("meta"), { name: "login-types", content: "2" });
  document.head.append(meta);
  try {
    await openPage();
    await openPopup();
    const offered = () => [...document.querySelectorAll("[data-login-type]")].map((button) => button.textContent);
    expect(offered()).toEqual(["Facebook", t("login.with", { name: "Facebook" })]);
  } finally {
    meta.remove();
  }
});

test("reports a browser that opens no provider window, and signs nobody in", async () => {
  vi.stubGlobal("open", () => null);
  const server = await openPage();
  await openPopup();
  await login()
    .getByRole("button", { name: t("login.with", { name: "Facebook" }) })
    .click();
  await expectToast(t("login.blocked"));
  expect(localStorage.getItem("loginToken")).toBeNull();
  expect(server.asked("login")).toEqual([]);
});

test("replaces the dialog by the contact view; back returns to the link; copying reports its result", async () => {
  // The first copy succeeds, the second is refused.
  const write = vi
    .spyOn(navigator.clipboard, "writeText")
    .mockResolvedValueOnce()
    .mockRejectedValueOnce(new DOMException("no", "NotAllowedError"));
  await openPage();
  await openPopup();
  await login()
    .getByRole("button", { name: t("login.contact") })
    .click();
  await expect.element(contact().getByRole("heading")).toHaveFocus();
  expect(page.getByRole("dialog").elements()).toHaveLength(1);
  await expect.element(contact()).toHaveTextContent(t("contact.hoursText"));
  // A pressed button has another label.
  const [first, second] = contact().getByRole("listitem").getByRole("button").elements();
  await userEvent.click(first ?? document.body);
  await expect.element(contact().getByText(t("common.copied"))).toBeVisible();
  await userEvent.click(second ?? document.body);
  await expect.element(contact().getByText(t("common.copyFailed"))).toBeVisible();
  await expect.element(contact().getByText(t("common.copied"))).not.toBeInTheDocument();
  expect(write.mock.calls).toEqual([[settings.contact.email], [settings.contact.official_account]]);
  await contact()
    .getByRole("button", { name: t("common.back") })
    .click();
  await expect.element(login().getByRole("button", { name: t("login.contact") })).toHaveFocus();
});

test("shows a dialog as a bottom sheet with a back arrow in a window of 520 px height", async () => {
  await openPage({ window: { width: 900, height: 520 } });
  await openPopup();
  const box = () => {
    const { bottom, width, height } = login().element().getBoundingClientRect();
    return { bottom, width, height, closeMs: getComputedStyle(login().element()).getPropertyValue("--close-ms") };
  };
  await expect.poll(box).toMatchObject({ bottom: 520, width: 900, closeMs: "500ms" });
  expect(box().height).toBeGreaterThanOrEqual(0.2 * 520);
  await login()
    .getByRole("button", { name: t("common.back") })
    .click();
  await expect.element(login()).not.toBeInTheDocument();

  await page.viewport(900, 521);
  await openPopup();
  expect(
    login()
      .getByRole("button", { name: t("common.back") })
      .elements(),
  ).toEqual([]);
  await expect.poll(() => box().width).toBeLessThan(900);
  await pressBackdrop(260);
  await expect.element(login()).not.toBeInTheDocument();
});

test("has its cross at 520 px, and the contact view its own spacing from 810 px down", async () => {
  await openPage({ window: { width: 520, height: 800 } });
  await openPopup();
  await expect.element(login().getByRole("button", { name: t("common.close") })).toBeVisible();
  await login()
    .getByRole("button", { name: t("login.contact") })
    .click();
  const entry = contact().getByRole("listitem").first();
  await expect.element(entry).toBeVisible();
  const paddingAt = async (width: number) => {
    await page.viewport(width, 800);
    await expect.poll(() => innerWidth).toBe(width);
    return getComputedStyle(entry.element()).paddingBlockStart;
  };
  expect(await paddingAt(811)).not.toBe(await paddingAt(810));
});
