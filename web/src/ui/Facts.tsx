import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Facts.module.css";

/** Names and values in rows with lines between: `Fact`s, the value at the end of its row. */
export function Facts({ className, children }: { className?: string | undefined; children: ReactNode }): ReactNode {
  return <dl className={classNames(styles.facts, className)}>{children}</dl>;
}

/** One name with its value; a `small` in the value is shown below it. */
export function Fact({ name, children }: { name: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
