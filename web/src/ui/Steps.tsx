import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import styles from "#ui/Steps.module.css";

/** Which of some steps this is: bars for the eye, words for everybody. `n` counts from 1. */
export function Steps({ n, of }: { n: number; of: number }): ReactNode {
  const t = useT();
  return (
    <p className={styles.steps}>
      <span aria-hidden="true">
        {Array.from({ length: of }, (_, index) => (
          <i key={index} data-on={index < n || undefined} />
        ))}
      </span>
      {t("common.step", { step: n, count: of })}
    </p>
  );
}
