import { useEffect, useState } from "react";

const minuteMs = 60_000;

/** The time, milliseconds since the epoch, so that "today" becomes "yesterday" while the page stays open. */
export function useMinute(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
