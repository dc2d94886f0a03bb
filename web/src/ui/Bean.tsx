import type { ReactNode } from "react";

/** The mark of the currency; decorative beside a labelled amount. */
export function Bean({ size = 18 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <BeanShape />
    </svg>
  );
}

/** The one drawing of a bean, 24 by 24: its body, a light, and the dark seam of a fava bean. */
export function BeanShape(): ReactNode {
  return (
    <>
      <path
        d="M14.8 2.2c4.6.7 7.6 4.5 7 9.2-.8 6.3-6 10.8-11.6 10.4C5.6 21.5 2 18.3 2.1 14.3c.1-2.8 2-4.6 4.5-5 2.3-.4 3.3-1.3 4-3.4.7-2.3 2.2-4 4.2-3.7z"
        fill="var(--bean)"
      />
      <path d="M15.6 6.2c1.9.8 2.9 2.7 2.6 4.9" stroke="#fff3cf" strokeWidth="1.8" strokeLinecap="round" fill="none" />
      <path d="M7 12c2-.5 4-2 5-4" stroke="#7a4d05" strokeWidth="1.8" strokeLinecap="round" fill="none" />
    </>
  );
}
