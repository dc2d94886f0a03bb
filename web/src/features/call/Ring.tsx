import type { ReactNode } from "react";
import styles from "./Panels.module.css";

/** A slow ring round what is being waited for; it stands still for those who want less motion. */
export function Ring({ children }: { children: ReactNode }): ReactNode {
  return (
    <span className={styles.ring} aria-hidden="true">
      <i />
      <i />
      <b>{children}</b>
    </span>
  );
}
