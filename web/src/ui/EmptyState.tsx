import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/EmptyState.module.css";

/** Shown instead of an empty list: why it is empty, and what the user can do. */
export function EmptyState(props: {
  title: string;
  /** An alert for a failure, a status for an empty list. */
  role: "alert" | "status";
  icon?: ReactNode;
  /** Whether it is in the middle of its place, without a background. */
  isOpen?: boolean;
  className?: string | undefined;
  /** More content, such as a sentence and a retry button. */
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
