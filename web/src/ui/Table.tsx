import { type ReactNode, useRef } from "react";
import { classNames } from "#ui/class-names.ts";
import { useScrollStop } from "#ui/use-scroll-stop.ts";
import styles from "#ui/Table.module.css";

interface TableProps {
  /** A class of the box around the table. */
  className?: string | undefined;
  children: ReactNode;
}

export function Table({ className, children }: TableProps): ReactNode {
  return (
    <TableScroll className={classNames(styles.table, className)}>
      <table>{children}</table>
    </TableScroll>
  );
}

/** The box of a table: one that is too wide scrolls sideways, and breaks no words. */
export function TableScroll({ className, children }: TableProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const isStop = useScrollStop(box, children);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards reach what scrolled away only by a focus
    <div ref={box} className={classNames(styles.scroll, className)} tabIndex={isStop ? 0 : undefined}>
      {children}
    </div>
  );
}
