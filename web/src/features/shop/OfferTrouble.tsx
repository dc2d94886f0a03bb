import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./Shop.module.css";

/** Six placeholders, for the specification's six packs. */
const places = [1, 2, 3, 4, 5, 6] as const;

export function PackSkeletons({ count = places.length }: { count?: number }): ReactNode {
  const t = useT();
  return (
    <div className={styles.packs} role="status">
      <VisuallyHidden>{t("shop.loading")}</VisuallyHidden>
      {places.slice(0, count).map((place) => (
        <span key={place} className={styles.skeleton}>
          <Skeleton height="100%" />
        </span>
      ))}
    </div>
  );
}

/** No packs, or no response, with a retry button. */
export function OfferTrouble({ kind, onRetry }: { kind: "empty" | "failed"; onRetry: () => void }): ReactNode {
  const t = useT();
  return (
    <EmptyState title={t(kind === "empty" ? "shop.empty" : "shop.failed")} role="alert">
      {kind === "empty" && <p>{t("shop.emptyText")}</p>}
      <Button kind="outline" size="small" onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </EmptyState>
  );
}
