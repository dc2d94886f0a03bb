import { useCallback, useEffect, useState, useSyncExternalStore } from "react";

/** Interval for displays of seconds: half a second, so that none is skipped. */
export const halfSecondMs = 500;
/** Interval for displays of minutes and days; "today" becomes "yesterday" while the page stays open. */
export const minuteMs = 60_000;

/** The current time, in milliseconds since the epoch; the component renders again at this interval. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

/** What `read` returns now; the component renders again when that has changed, which is checked at this interval. */
export function useTimed<Value extends string | number | null>(everyMs: number, read: () => Value): Value {
  return useSyncExternalStore(
    useCallback(
      (changed) => {
        const timer = setInterval(changed, everyMs);
        return () => clearInterval(timer);
      },
      [everyMs],
    ),
    read,
  );
}
