import { useEffect, useState } from "react";

const tickMs = 500;

/** The time now, in milliseconds since the epoch; the component renders twice a second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
