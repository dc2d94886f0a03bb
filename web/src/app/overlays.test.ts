import { createElement, Suspense } from "react";
import { renderToString } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import { activateLanguage } from "#lib/i18n.ts";
import type { OverlayName } from "#lib/overlays.ts";
import type { LazyPart } from "#ui/lazy-with-timeout.ts";
import { overlays, preloadFollowing } from "./OverlayStack.tsx";

beforeAll(() => activateLanguage("en", { remember: false }));

/** The HTML of the dialog's first rendering; `nothing` while its code is not loaded. */
function firstSight(name: OverlayName): string {
  const Overlay = overlays[name];
  return renderToString(createElement(Suspense, { fallback: "nothing" }, Overlay && createElement(Overlay)));
}

test("loads the dialogs of a first visit while the one before is open, so that they follow at once", async () => {
  const steps: readonly [OverlayName, readonly OverlayName[]][] = [
    ["login", ["complete-profile"]],
    ["complete-profile", ["permission", "rules"]],
    ["permission", ["device-tips"]],
  ];
  for (const [open, next] of steps) {
    const loads = next.map((name) => vi.spyOn(overlays[name] as LazyPart<object>, "preload"));
    preloadFollowing([open]);
    for (const load of loads) {
      expect(load).toHaveBeenCalledOnce();
      await load.mock.results[0]?.value;
    }
    for (const name of next) expect(firstSight(name)).not.toContain("nothing");
  }
});
