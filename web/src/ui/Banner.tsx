import type { ReactNode } from "react";
import styles from "#ui/Banner.module.css";

/** A bar over the page that pushes it down. */
export function Banner({
  icon,
  action,
  children,
}: {
  icon: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <output className={styles.bar}>
      <span aria-hidden="true">{icon}</span>
      <p>{children}</p>
      {action}
    </output>
  );
}
