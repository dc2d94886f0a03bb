import { weakReannounceMs, weakShownMs } from "@fava/wire/limits.ts";
import type { QualityLevel } from "@fava/wire/socket.ts";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { page } from "vitest/browser";
import { activateLanguage, t } from "#lib/i18n.ts";
import { watchAnnouncements } from "#testing/announcements.ts";
import { QualityBadge } from "./QualityBadge.tsx";

type Words = "quality.own" | "quality.other" | "quality.both";

/** A badge with a stopped clock, of two good connections. */
async function openBadge() {
  await activateLanguage("en", { remember: false });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { container, rerender } = await render(<QualityBadge own={3} other={3} />);
  const heard = watchAnnouncements();
  return {
    heard,
    shows: (key: Words) => page.elementLocator(container).getByText(t(key), { exact: true }).query() !== null,
    levels: async (own: QualityLevel, other: QualityLevel) => {
      await rerender(<QualityBadge own={own} other={other} />);
      await drawn();
    },
    pass: async (ms: number) => {
      vi.advanceTimersByTime(ms);
      await drawn();
    },
  };
}

/** Resolves when all changes are drawn: React's own messages come before these. */
async function drawn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  for (let rounds = 0; rounds < 5; rounds += 1) {
    await new Promise((resolve) => {
      port1.addEventListener("message", resolve, { once: true });
      port1.start();
      port2.postMessage(null);
    });
  }
  port1.close();
}

test("shows a weak connection after four seconds, and whose it is", async () => {
  const { shows, levels, pass } = await openBadge();
  await levels(3, 2);
  await pass(weakShownMs - 1);
  expect(shows("quality.other")).toBe(false);
  await pass(1);
  expect(shows("quality.other")).toBe(true);
  await levels(1, 2);
  await pass(weakShownMs);
  expect(shows("quality.both")).toBe(true);
  await levels(1, 3);
  await pass(weakShownMs);
  expect(shows("quality.own")).toBe(true);
  // It is good again at once; a paused video has its own text.
  for (const level of [3, 0] as const) {
    await levels(2, 3);
    await pass(weakShownMs);
    expect(shows("quality.own")).toBe(true);
    await levels(level, 3);
    expect(shows("quality.own")).toBe(false);
  }
});

test("announces it once, and again only after half a minute of good connections", async () => {
  const { shows, levels, pass, heard } = await openBadge();
  const weak = async (own: QualityLevel, other: QualityLevel, key: Words) => {
    await levels(own, other);
    await pass(weakShownMs);
    expect(shows(key)).toBe(true);
  };
  const well = async (forMs: number) => {
    await levels(3, 3);
    expect(shows("quality.own")).toBe(false);
    await pass(forMs);
  };
  await weak(3, 2, "quality.other");
  await weak(2, 2, "quality.both");
  await well(weakReannounceMs - weakShownMs - 1);
  await weak(2, 3, "quality.own");
  expect(heard).toEqual([`polite: ${t("quality.other")}`]);
  await well(weakReannounceMs);
  await weak(2, 3, "quality.own");
  expect(heard).toEqual([`polite: ${t("quality.other")}`, `polite: ${t("quality.own")}`]);
});
