import type { ReactNode } from "react";
import styles from "#ui/LevelMeter.module.css";

const barCount = 12;

/** The loudness, 0 to 1, as a row of bars. Hidden from screen readers, which it would keep talking. */
export function LevelMeter({ level }: { level: number }): ReactNode {
  const lit = Math.round(Math.min(1, Math.max(0, level)) * barCount);
  return (
    <span className={styles.meter} aria-hidden="true">
      {Array.from({ length: barCount }, (_, index) => (
        <i key={index} data-on={index < lit || undefined} />
      ))}
    </span>
  );
}
