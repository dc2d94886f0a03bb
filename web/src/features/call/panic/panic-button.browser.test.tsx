import { exitHoldMs } from "@fava/wire/limits.ts";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";

const name = isolate("Bo");
const shield = () => page.getByRole("button", { name: t("panic.button") });
const getOut = () => page.getByText(t("panic.outText", { name }));
const isOut = () => page.getByRole("heading", { name: t("panic.title") });
const answers = { block: {}, feedback: {} };

afterEach(() => vi.useRealTimers());

function press(type: "pointerdown" | "pointerup" | "pointerleave"): void {
  shield()
    .element()
    .dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: "touch", button: 0 }));
}

test("leaves the call when the button was held for its time, and not before", async () => {
  await openCall({ window: phone, answers });
  await expect.element(shield()).toBeVisible();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  press("pointerdown");
  await vi.advanceTimersByTimeAsync(exitHoldMs - 1);
  press("pointerup");
  await vi.advanceTimersByTimeAsync(exitHoldMs);
  expect(callState()).toBe("in-call");
  press("pointerdown");
  await vi.advanceTimersByTimeAsync(exitHoldMs);
  vi.useRealTimers();
  await expect.element(isOut()).toBeVisible();
});

test("leaves the call on no single press, which only offers Get out and says what that does", async () => {
  const { server } = await openCall({ window: phone, answers });
  await shield().click();
  await expect.element(getOut()).toBeVisible();
  await expect.element(page.getByText(t("panic.outText", { name }))).toBeVisible();
  await expect.element(shield()).toHaveAttribute("aria-expanded", "true");
  expect(callState()).toBe("in-call");
  // A press outside closes the offer.
  document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  await expect.element(getOut()).not.toBeInTheDocument();
  expect(server.asked("block")).toEqual([]);
  await shield().click();
  await getOut().click();
  await expect.element(isOut()).toBeVisible();
});

test("exits by Enter and a second Enter, not by one that is held, and closes the offer on Escape", async () => {
  await openCall({ answers });
  (shield().element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const confirm = () => getOut().element().closest("button")!;
  await expect.poll(() => document.activeElement === confirm()).toBe(true);
  const held = new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true });
  expect(confirm().dispatchEvent(held)).toBe(false);
  await userEvent.keyboard("{Escape}");
  await expect.element(getOut()).not.toBeInTheDocument();
  await expect.element(shield()).toHaveFocus();
  expect(callState()).toBe("in-call");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => document.activeElement === confirm()).toBe(true);
  await userEvent.keyboard("{Enter}");
  await expect.element(isOut()).toBeVisible();
});

test("stands among the controls in its own shape", async () => {
  await openCall({ window: phone });
  const foot = page.getByRole("toolbar", { name: t("call.controls") });
  await expect.element(foot).toContainElement(shield().element() as HTMLElement);
  const radius = (element: Element) => getComputedStyle(element).borderTopLeftRadius;
  for (const other of ["home.micMute", "home.camMute"] as const)
    expect(radius(shield().element())).not.toBe(radius(foot.getByRole("button", { name: t(other) }).element()));
});
