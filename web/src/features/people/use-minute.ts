import { useEffect, useState } from "react";

const minuteMs = 60_000;

/** The time now, milliseconds since the epoch, told anew every minute. */
export function useMinute(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
