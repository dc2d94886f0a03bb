import type { ReactNode } from "react";
import styles from "./Trouble.module.css";

interface TroubleProps {
  title: string;
  /** An alert for what went wrong, a status for what is merely empty. */
  role: "alert" | "status";
  /** A sentence, a way to try again. */
  children?: ReactNode;
}

/** Stands where a list would be: why there is none, and what can be done. */
export function Trouble({ title, role, children }: TroubleProps): ReactNode {
  return (
    <div className={styles.trouble} role={role}>
      <b>{title}</b>
      {children}
    </div>
  );
}
