import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/ProgressLine.module.css";

/** Says that something goes on, for as long as nobody knows. Decoration: words beside it say what. */
export function ProgressLine({ className }: { className?: string | undefined }): ReactNode {
  return (
    <span className={classNames(styles.line, className)} aria-hidden="true">
      <i />
    </span>
  );
}
