import type { ComponentType } from "react";
import type { OverlayName } from "#lib/overlays.ts";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";

type OverlayLoader = () => Promise<ComponentType>;

/** What each overlay name shows. Every dialog is loaded when it is first opened. One line adds one. */
const loaders: Readonly<Partial<Record<OverlayName, OverlayLoader>>> = {
  login: () => import("#features/session/LoginSheet.tsx").then((part) => part.LoginSheet),
};

export const overlays: Readonly<Partial<Record<OverlayName, ComponentType>>> = Object.fromEntries(
  Object.entries(loaders).map(([name, load]) => [name, lazyWithTimeout(load)]),
);

/** Fetches the dialogs that a first visit most likely needs while the browser has nothing else to do. */
export function preloadOverlays(): () => void {
  const preload = () => {
    // A failure is no news: the dialog is loaded again when it is opened.
    void loaders.login?.().catch(() => undefined);
  };
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(preload, 2_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(preload, { timeout: 5_000 });
  return () => cancelIdleCallback(handle);
}
