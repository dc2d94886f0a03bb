import { useCallback, useSyncExternalStore } from "react";
import { mobileWidthPx, sheetHeightPx } from "@fava/wire/limits.ts";

/** Layout thresholds of the specification; the style sheets repeat the same numbers. */
export const mobileQuery = `(max-width: ${mobileWidthPx - 1}px)`;
export const lowWindowQuery = `(max-height: ${sheetHeightPx}px)`;

/** Fingers alone: a phone or a tablet, with keys on its screen at most. */
export const touchOnlyQuery = "(hover: none) and (pointer: coarse)";

/** Whether a media query holds; follows changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}

/** The specification's `isMobile`: narrower than 768 px. */
export function useIsMobile(): boolean {
  return useMediaQuery(mobileQuery);
}

/** A phone, upright or on its side: the controls of a call lie over the picture or beside it. */
export function useIsSmallWindow(): boolean {
  return useMediaQuery(`${mobileQuery}, ${lowWindowQuery}`);
}
