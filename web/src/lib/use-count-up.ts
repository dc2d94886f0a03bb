import { useLayoutEffect, useRef, useState } from "react";

const countUpMs = 600;
/** How fast the critically damped spring of the count approaches its end. */
const stiffness = 7;

interface Counting {
  from: number;
  to: number;
  /** 0 to 1. */
  part: number;
}

/**
 * A value that counts up when it grows, for sighted users only: name the final one to screen readers. It never counts
 * for another `owner`, nor with reduced motion. `from`: counts up to the first value as well.
 */
export function useCountUp(
  value: number,
  { owner = null, from = value }: { owner?: unknown; from?: number } = {},
): number {
  const [counting, setCounting] = useState<Counting>({ from, to: from, part: 1 });
  const before = useRef({ value: from, owner });
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { value, owner };
    const isStill = last.owner !== owner || value <= last.value;
    if (isStill || matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
    const show = (part: number) => setCounting({ from: last.value, to: value, part });
    show(0);
    // A window behind another one draws no frames: the count starts when the user looks at it.
    let startedMs: number | null = null;
    let frame = requestAnimationFrame(function draw(nowMs) {
      startedMs ??= nowMs;
      const part = Math.min(1, (nowMs - startedMs) / countUpMs);
      show(part);
      if (part < 1) frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [value, owner]);
  if (counting.to !== value || counting.part === 1) return value;
  return Math.round(value - (value - counting.from) * restOf(counting.part));
}

/** The share of the way that is left: a spring without overshoot, so that no larger sum is ever shown. */
function restOf(part: number): number {
  return (1 + stiffness * part) * Math.exp(-stiffness * part);
}
