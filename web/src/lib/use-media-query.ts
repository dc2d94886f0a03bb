import { useCallback, useSyncExternalStore } from "react";
import { mobileWidthPx, sheetHeightPx } from "@fava/wire/limits.ts";

/** Layout breakpoints of the specification; the style sheets repeat the same numbers. */
export const mobileQuery = `(max-width: ${mobileWidthPx - 1}px)`;
export const lowWindowQuery = `(max-height: ${sheetHeightPx}px)`;

/** Touch only: a phone or tablet, at most with an on-screen keyboard. */
export const touchOnlyQuery = "(hover: none) and (pointer: coarse)";

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

/** A phone in either orientation: the controls of a call lie over the video or beside it. */
export function useIsSmallWindow(): boolean {
  return useMediaQuery(`${mobileQuery}, ${lowWindowQuery}`);
}
