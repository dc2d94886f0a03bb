import { useEffect, useState } from "react";

/** For displays that count seconds, so that none is skipped. */
export const halfSecondMs = 500;
/** For times of day, and so that "today" becomes "yesterday" while the page stays open. */
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
