import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { MorePages } from "#ui/MorePages.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./People.module.css";

const places = [1, 2, 3, 4, 5, 6] as const;

/** What surrounds the rows of every list: loading, failure with retry, an empty state, and the button for more. */
export function ListFrame<Row>(props: {
  list: UseInfiniteQueryResult<{ readonly rows: readonly Row[] }>;
  isShown?: (row: Row) => boolean;
  texts: { loading: string; failed: string };
  /** Shown instead of the rows if there are none. */
  empty: ReactNode;
  single?: boolean;
  children: (row: Row) => ReactNode;
}): ReactNode {
  const t = useT();
  const { list, isShown = () => true, texts, single } = props;
  if (list.isPending) {
    return (
      <div className={styles.list} data-single={single || undefined} role="status">
        <VisuallyHidden>{texts.loading}</VisuallyHidden>
        {places.map((place) => (
          <Skeleton key={place} height="64px" />
        ))}
      </div>
    );
  }
  if (!list.data) {
    return (
      <EmptyState isOpen className={styles.nobody} role="alert" title={texts.failed}>
        <Button kind="outline" size="small" onClick={() => void list.refetch()}>
          {t("common.retry")}
        </Button>
      </EmptyState>
    );
  }
  const rows = list.data.rows.filter(isShown);
  return (
    <>
      {rows.length === 0 && !list.hasNextPage ? (
        props.empty
      ) : (
        <ul className={styles.list} data-single={single || undefined}>
          {rows.map(props.children)}
        </ul>
      )}
      <MorePages pages={list} text={t("people.more")} failedText={texts.failed} pill className={styles.more} />
    </>
  );
}

/** The empty state of a list, with a way to fill it. */
export function EmptyList({ icon, title, text }: { icon: ReactNode; title: string; text: string }): ReactNode {
  return (
    <EmptyState
      isOpen
      className={styles.nobody}
      role="status"
      icon={<span aria-hidden="true">{icon}</span>}
      title={title}
    >
      <p>{text}</p>
    </EmptyState>
  );
}
