import type { ReactNode } from "react";
import { formatPercent } from "#lib/format-units.ts";
import styles from "./Profile.module.css";

/** The progress of an upload: a ring around its place, and the percentage as text. */
export function UploadRing({ percent, label }: { percent: number; label: string }): ReactNode {
  return (
    <div className={styles.ring} role="progressbar" aria-label={label} aria-valuenow={percent}>
      <svg viewBox="0 0 152 152" fill="none" aria-hidden="true">
        <circle cx="76" cy="76" r="73" stroke="var(--surface-3)" strokeWidth="5" />
        <circle
          cx="76"
          cy="76"
          r="73"
          stroke="var(--text)"
          strokeWidth="5"
          strokeLinecap="round"
          pathLength={100}
          strokeDasharray={`${percent} 100`}
        />
      </svg>
      <b>{formatPercent(percent)}</b>
    </div>
  );
}
