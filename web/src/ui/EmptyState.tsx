import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/EmptyState.module.css";

/** Stands where a list would be: why there is none, and what can be done. */
export function EmptyState(props: {
  title: string;
  /** An alert for what went wrong, a status for what is merely empty. */
  role: "alert" | "status";
  /** Above the title. */
  icon?: ReactNode;
  /** In the middle of a place of its own, instead of on a ground. */
  isOpen?: boolean;
  className?: string | undefined;
  /** A sentence, a way to try again. */
  children?: ReactNode;
}): ReactNode {
  return (
    <div
      className={classNames(styles.empty, props.isOpen ? styles.open : styles.box, props.className)}
      role={props.role}
    >
      {props.icon}
      <b>{props.title}</b>
      {props.children}
    </div>
  );
}
