import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import styles from "#ui/LoadFailure.module.css";

/** Shown instead of what failed to load: its name, and a retry button. */
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
