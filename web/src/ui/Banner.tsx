import type { ReactNode } from "react";
import styles from "#ui/Banner.module.css";

/** A bar over the page that pushes it down. */
export function Banner({ icon, action, children }: { icon: ReactNode; action?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div className={styles.bar} role="status">
      <span aria-hidden="true">{icon}</span>
      <p>{children}</p>
      {action}
    </div>
  );
}
