import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/List.module.css";

/** Rows below each other with a line between: `ListRow`s. */
export function List({ className, children }: { className?: string | undefined; children: ReactNode }): ReactNode {
  return <ul className={classNames(styles.list, className)}>{children}</ul>;
}

/** One row: a picture or an icon, what it is in two lines, and at the end what can be done. */
export function ListRow(props: { leading?: ReactNode; trailing?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <li className={styles.row}>
      {props.leading}
      <TwoLines>{props.children}</TwoLines>
      {props.trailing}
    </li>
  );
}

/** What something is, and what is to be said of it, close below each other: `b` and `small`. */
export function TwoLines({ className, children }: { className?: string | undefined; children: ReactNode }): ReactNode {
  return <span className={classNames(styles.lines, className)}>{children}</span>;
}
