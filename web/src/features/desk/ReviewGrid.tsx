import type { ReactNode, Ref } from "react";
import { Button } from "#ui/Button.tsx";
import { useT } from "#lib/i18n.ts";
import { Skeleton } from "#ui/Skeleton.tsx";
import type { ReviewEvent } from "./review-machine.ts";
import { isCovered, type ReviewState, shownRows } from "./review-state.ts";
import { ReviewCard } from "./ReviewCard.tsx";
import styles from "./ReviewGrid.module.css";

const skeletonCards = 12;

/** The pictures of the page; the current one has the frame. */
export function ReviewGrid({
  state,
  dispatch,
  list,
}: {
  state: ReviewState;
  dispatch: (event: ReviewEvent) => void;
  list: Ref<HTMLUListElement>;
}): ReactNode {
  const t = useT();
  return (
    <ul className={styles.grid} ref={list}>
      {shownRows(state).map((row) => (
        <li key={row.id} className={styles.card} aria-current={row.id === state.current || undefined}>
          <ReviewCard
            row={row}
            isCurrent={row.id === state.current}
            isCovered={isCovered(state, row)}
            mark={state.marks.get(row.id) ?? null}
            onChoose={() => {
              dispatch({ type: "go", id: row.id });
              if (row.id === state.current || isCovered(state, row)) dispatch({ type: "toggle-cover" });
            }}
            onSeen={() => dispatch({ type: "seen", id: row.id })}
          />
        </li>
      ))}
      {state.next !== null && (
        <li className={styles.more}>
          <Button size="small" onClick={() => dispatch({ type: "more" })}>
            {t("desk.more")}
          </Button>
        </li>
      )}
    </ul>
  );
}

export function ReviewSkeleton(): ReactNode {
  return (
    <div className={styles.grid}>
      {Array.from({ length: skeletonCards }, (_, index) => (
        <Skeleton key={index} height="100%" />
      ))}
    </div>
  );
}
