import { nextGuardMs, remoteVolumePercent } from "@fava/wire/limits.ts";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { callStore } from "#features/call/machine/call-store.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, expectCallState, expectHome, openCall, openSearch, searchesBegun } from "#testing/call-page.ts";
import { match } from "#testing/match.ts";

const field = () => page.getByRole("textbox", { name: t("call.placeholder") });

/** Presses the right arrow in the moment of a match. Returns a function that returns how often it has. */
function pressNextTooEarly(): () => number {
  let presses = 0;
  const stop = callStore.subscribe(({ call }) => {
    if (call.status !== "connecting") return;
    stop();
    presses += 1;
    window.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", code: "ArrowRight", bubbles: true }));
  });
  return () => presses;
}

afterEach(() => vi.useRealTimers());

test("ignores Next in the first moment of a match, and while the user types", async () => {
  const server = await openSearch();
  const presses = pressNextTooEarly();
  await match(server, window.remotePerson);
  await expectCallState("in-call");
  expect(presses()).toBe(1);
  expect(searchesBegun(server)).toBe(1);
  const next = page
    .getByRole("toolbar", { name: t("call.controls") })
    .getByRole("button", { name: t("call.next") })
    .element() as HTMLElement;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - nextGuardMs });
  next.focus();
  next.click();
  expect(document.activeElement).toBe(next);
  vi.useRealTimers();

  // After that moment, an arrow belongs to the text alone.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + nextGuardMs });
  await field().fill("hello");
  await userEvent.keyboard("{Home}{ArrowRight}{ArrowRight}");
  expect(callState()).toBe("in-call");
  expect(searchesBegun(server)).toBe(1);
  await userEvent.keyboard("{Escape}{ArrowRight}");
  await expectCallState("searching");
  await expect.poll(() => searchesBegun(server)).toBe(2);
});

test("changes the volume by arrow keys in its slider, and leaves arrow keys to an open dialog", async () => {
  const { server } = await openCall();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + nextGuardMs });
  const volume = page.getByRole("slider", { name: t("call.volume") });
  (volume.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(volume).toHaveValue(String(remoteVolumePercent + 1));
  await page.getByRole("button", { name: t("people.reportName", { name: isolate("Bo") }) }).click();
  await expect.element(page.getByRole("dialog", { name: t("report.title") })).toBeVisible();
  await userEvent.keyboard("{ArrowRight}");
  expect(callState()).toBe("in-call");
  expect(searchesBegun(server)).toBe(1);
});

test("leaves the text field on the first Escape, and ends the call only on the next", async () => {
  const { server } = await openCall();
  await field().fill("half a thought");
  await userEvent.keyboard("{Escape}");
  await expect.element(field()).not.toHaveFocus();
  expect(callState()).toBe("in-call");
  expect(server.asked("matchStop")).toEqual([]);
  await userEvent.keyboard("{Escape}");
  await expectHome();
  await expect.poll(() => server.asked("matchStop")).toHaveLength(1);
  await expect.element(page.getByText(t("home.offTitle"))).toBeVisible();
});

test("ends a search on Escape", async () => {
  const server = await openSearch();
  await userEvent.keyboard("{Escape}");
  await expectHome();
  await expect.poll(() => server.asked("matchStop")).toHaveLength(1);
});
