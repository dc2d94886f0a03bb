import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./Beans.module.css";

/** The placeholder of an order that is loading or failed to load. */
export function OrderTrouble({ failed, onRetry }: { failed: boolean; onRetry: () => unknown }): ReactNode {
  const t = useT();
  if (failed) {
    return (
      <div className={styles.trouble} role="alert">
        <b>{t("receipt.failed")}</b>
        <Button kind="outline" size="small" onClick={() => void onRetry()}>
          {t("common.retry")}
        </Button>
      </div>
    );
  }
  return (
    <div role="status">
      <VisuallyHidden>{t("receipt.loading")}</VisuallyHidden>
      <Skeleton height="150px" />
    </div>
  );
}
