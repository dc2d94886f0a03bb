import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/List.module.css";

/** `ListRow`s with lines between. */
export function List({ className, children }: { className?: string | undefined; children: ReactNode }): ReactNode {
  return <ul className={classNames(styles.list, className)}>{children}</ul>;
}

/** One row: an image or icon, its text in lines (`b`, and `small` for details), and its actions at the end. */
export function ListRow(props: { leading?: ReactNode; trailing?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <li className={styles.row}>
      {props.leading}
      <span className={styles.lines}>{props.children}</span>
      {props.trailing}
    </li>
  );
}
