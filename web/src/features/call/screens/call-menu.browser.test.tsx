import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";

const name = isolate("Bo");
const more = () => page.getByRole("button", { name: t("msg.menu", { name }) });
const item = (role: "menuitem" | "menuitemcheckbox" | "menuitemradio", text: string) =>
  page.getByRole(role, { name: text });
const video = () => document.querySelector<HTMLVideoElement>('section[data-status="in-call"] video')!;

test("offers report, block, blur, the whole picture and volume at the name plate of a phone", async () => {
  await openCall({ window: phone });
  await more().click();
  await expect.element(item("menuitem", t("people.blockName", { name }))).toBeVisible();
  await item("menuitemcheckbox", t("call.whole")).click();
  await expect.poll(() => getComputedStyle(video()).objectFit).toBe("contain");
  await more().click();
  await expect.element(item("menuitemcheckbox", t("call.whole"))).toBeChecked();
  await item("menuitemradio", "75").click();
  await expect.poll(() => video().volume).toBe(0.75);
  await item("menuitemcheckbox", t("call.whole")).click();
  await more().click();
  await item("menuitemcheckbox", t("shield.keep")).click();
  await expect.element(page.getByRole("heading", { name: t("shield.kept") })).toBeVisible();
  await more().click();
  await item("menuitem", t("people.reportName", { name })).click();
  await expect.element(page.getByRole("dialog", { name: t("report.title") })).toBeVisible();
  expect(callState()).toBe("in-call");
});

test("goes through the menu by keys, and Escape closes it before it ends the call", async () => {
  await openCall({ window: phone });
  (more().element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("menu", { name: t("msg.menu", { name }) })).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(item("menuitem", t("people.reportName", { name }))).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("menu")).not.toBeInTheDocument();
  await expect.element(more()).toHaveFocus();
  expect(callState()).toBe("in-call");
});
