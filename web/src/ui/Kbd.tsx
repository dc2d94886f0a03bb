import type { ReactNode } from "react";
import styles from "#ui/Kbd.module.css";

/** The shortcut beside a button; shown only on devices with a mouse, and so probably with a keyboard. */
export function Kbd({ children }: { children: ReactNode }): ReactNode {
  return (
    <kbd className={styles.key} aria-hidden="true">
      {children}
    </kbd>
  );
}
