import { useEffect, useState } from "react";

/** For what counts seconds: no second is missed. */
export const halfSecondMs = 500;
/** For times of day, and so that "today" becomes "yesterday" while the page stays open. */
export const minuteMs = 60_000;

/** The time now, milliseconds since the epoch; the component renders anew every so often. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
