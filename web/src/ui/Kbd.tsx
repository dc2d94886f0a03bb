import type { ReactNode } from "react";
import styles from "#ui/Kbd.module.css";

/** A key beside a button; shown only where there is a mouse, and so most likely a keyboard. */
export function Kbd({ children }: { children: ReactNode }): ReactNode {
  return (
    <kbd className={styles.key} aria-hidden="true">
      {children}
    </kbd>
  );
}
