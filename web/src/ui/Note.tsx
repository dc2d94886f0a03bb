import type { ReactNode } from "react";
import styles from "#ui/Note.module.css";

/** A quiet remark with an icon, always visible instead of a tooltip. */
export function Note({ icon, title, children }: { icon: ReactNode; title?: string; children?: ReactNode }): ReactNode {
  return (
    <div className={styles.note}>
      <span aria-hidden="true">{icon}</span>
      <p>
        {title !== undefined && <b>{title} </b>}
        {children}
      </p>
    </div>
  );
}
