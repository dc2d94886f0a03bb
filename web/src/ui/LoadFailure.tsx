import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import styles from "#ui/LoadFailure.module.css";

/** Stands where something did not load: which, and at the end of its line the way to try again. */
export function LoadFailure({ text, onRetry }: { text: string; onRetry: () => unknown }): ReactNode {
  const t = useT();
  return (
    <p className={styles.failure} role="status">
      {text}
      <Button size="small" onClick={() => void onRetry()}>
        {t("common.retry")}
      </Button>
    </p>
  );
}
