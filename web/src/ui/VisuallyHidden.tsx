import type { ReactNode } from "react";
import styles from "#ui/VisuallyHidden.module.css";

/** For screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }): ReactNode {
  return <span className={styles.hidden}>{children}</span>;
}
