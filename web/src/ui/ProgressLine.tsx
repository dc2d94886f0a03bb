import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/ProgressLine.module.css";

/** A line that shows that work of unknown duration is running. Decorative: the text beside it names the work. */
export function ProgressLine({ className }: { className?: string | undefined }): ReactNode {
  return (
    <span className={classNames(styles.line, className)} aria-hidden="true">
      <i />
    </span>
  );
}
