import { useEffect, useState } from "react";

/** Whole seconds of a span that are left since the component came; never below 1, its owner takes it away at the end. */
export function useSecondsLeft(spanMs: number): number {
  const [left, setLeft] = useState(Math.ceil(spanMs / 1_000));
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(1, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return left;
}
