import { createElement, Suspense } from "react";
import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { overlays, preloadFollowing } from "./OverlayStack.tsx";
import type { OverlayName } from "#lib/overlays.ts";

const { loaded } = vi.hoisted(() => ({ loaded: new Set<string>() }));
const sheet = (name: string, part: string) => {
  loaded.add(name);
  return { [part]: () => `shown: ${name}` };
};
vi.mock("#features/profile/CompleteProfileSheet.tsx", () => sheet("complete-profile", "CompleteProfileSheet"));
vi.mock("#features/device/PermissionCover.tsx", () => sheet("permission", "PermissionCover"));
vi.mock("#features/device/DeviceTipsSheet.tsx", () => sheet("device-tips", "DeviceTipsSheet"));
vi.mock("#features/match/RulesSheet.tsx", () => sheet("rules", "RulesSheet"));

/** What the dialog's first rendering puts on the page. */
function firstSight(name: OverlayName): string {
  const Overlay = overlays[name];
  return renderToString(createElement(Suspense, { fallback: "nothing" }, Overlay && createElement(Overlay)));
}

test("[UI-7] the dialogs of a first visit are loaded while the one before stands open, and follow at once", async () => {
  const steps: readonly [OverlayName, readonly OverlayName[]][] = [
    ["login", ["complete-profile"]],
    ["complete-profile", ["permission", "rules"]],
    ["permission", ["device-tips"]],
  ];
  for (const [open, next] of steps) {
    for (const name of next) expect(loaded).not.toContain(name);
    preloadFollowing([open]);
    await vi.waitFor(() => expect([...loaded]).toEqual(expect.arrayContaining([...next])));
    await vi.dynamicImportSettled();
    for (const name of next) expect(firstSight(name)).toContain(`shown: ${name}`);
  }
});
