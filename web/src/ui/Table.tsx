import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Table.module.css";

export function Table({ className, children }: { className?: string | undefined; children: ReactNode }): ReactNode {
  return <table className={classNames(styles.table, className)}>{children}</table>;
}
