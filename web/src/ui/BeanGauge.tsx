import type { ReactNode } from "react";
import styles from "#ui/BeanGauge.module.css";

/** A bar of the used share of a bean limit; usage beyond the limit fills it. */
export function BeanGauge({ label, used, of }: { label: string; used: number; of: number }): ReactNode {
  return <meter className={styles.gauge} aria-label={label} min={0} max={Math.max(1, of)} value={Math.min(used, of)} />;
}
