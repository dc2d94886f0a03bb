import type { ReactNode } from "react";
import styles from "#ui/Banner.module.css";

/** A bar above the page, which pushes the page down. `saidElsewhere`: another part of the page announces its text. */
export function Banner({
  icon,
  action,
  saidElsewhere = false,
  children,
}: {
  icon: ReactNode;
  action?: ReactNode;
  saidElsewhere?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <output className={styles.bar} aria-live={saidElsewhere ? "off" : undefined}>
      <span aria-hidden="true">{icon}</span>
      <p>{children}</p>
      {action}
    </output>
  );
}
