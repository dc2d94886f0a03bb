import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/IconTile.module.css";

/** An icon with its own background, above the title of a dialog. Decorative. */
export function IconTile(props: { round?: boolean; className?: string | undefined; children: ReactNode }): ReactNode {
  return (
    <span className={classNames(styles.tile, props.round && styles.round, props.className)} aria-hidden="true">
      {props.children}
    </span>
  );
}
