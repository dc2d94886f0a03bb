import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sheetCloseMs } from "@fava/wire/limits.ts";
import { closeAllOverlays, closeOverlay, isOverlayOpen, openOverlay } from "#lib/overlays.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  closeAllOverlays();
  vi.advanceTimersByTime(sheetCloseMs);
  vi.useRealTimers();
});

test("resolves to how a dialog ended, so that steps can be awaited", async () => {
  const login = openOverlay("login");
  closeOverlay("login", "done");
  expect(await login).toBe("done");
  const profile = openOverlay("complete-profile");
  closeOverlay("complete-profile");
  expect(await profile).toBe("closed");
});

test("does not open an open dialog twice, but opens one that is closing again", async () => {
  const first = openOverlay("login");
  const same = openOverlay("login");
  closeOverlay("login");
  expect(await Promise.all([first, same])).toEqual(["closed", "closed"]);
  const again = openOverlay("login");
  vi.advanceTimersByTime(sheetCloseMs);
  expect(isOverlayOpen("login")).toBe(true);
  closeOverlay("login", "done");
  expect(await again).toBe("done");
});

test("ignores the closing of a dialog that is not open", () => {
  closeOverlay("rules");
  expect(isOverlayOpen("rules")).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
