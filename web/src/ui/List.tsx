import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/List.module.css";

/** Rows below each other with a line between: `ListRow`s. */
export function List({ className, children }: { className?: string | undefined; children: ReactNode }): ReactNode {
  return <ul className={classNames(styles.list, className)}>{children}</ul>;
}

/** One row: a picture or an icon, what it is in lines (`b`, and `small` for what is said of it), and at the end what can be done. */
export function ListRow(props: { leading?: ReactNode; trailing?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <li className={styles.row}>
      {props.leading}
      <span className={styles.lines}>{props.children}</span>
      {props.trailing}
    </li>
  );
}
