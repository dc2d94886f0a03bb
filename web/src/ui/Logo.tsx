import type { ReactNode } from "react";
import styles from "#ui/Logo.module.css";

const outline =
  "M19.7 3c6.2.9 10.1 6 9.3 12.3C28 23.6 21.1 29.5 13.6 29 7.5 28.6 2.8 24.4 2.9 19.1c.1-3.7 2.6-6.1 6-6.7 3-.5 4.4-1.7 5.3-4.5C15.1 4.9 17.1 2.6 19.7 3z";

/** The bean with two eyes; `plain` is the bean alone. */
export function LogoMark({ size = 30, plain = false }: { size?: number; plain?: boolean }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path d={outline} fill="var(--brand)" />
      {!plain && (
        <g fill="var(--on-brand)">
          <circle cx="13.5" cy="19.5" r="2.1" />
          <circle cx="21" cy="16.5" r="2.1" />
        </g>
      )}
    </svg>
  );
}

/** Logo and name. The name is not translated or mirrored. */
export function Logo(): ReactNode {
  return (
    <span className={styles.logo} translate="no">
      <LogoMark />
      <span lang="en">fava</span>
    </span>
  );
}
