import { Check, Grid2x2, Image as ImageIcon } from "lucide-react";
import type { ReactNode } from "react";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { formatAge } from "./desk-format.ts";
import type { PictureKind } from "./review.ts";
import type { ReviewEvent } from "./review-machine.ts";
import { belongsTo, pictureFilters, type ReviewState, safeTogether } from "./review-state.ts";
import { useNow } from "./use-now.ts";
import styles from "./ReviewBar.module.css";

/** What waits, the filters, and grid or one. */
export function ReviewBar(props: {
  kind: PictureKind;
  state: ReviewState;
  dispatch: (event: ReviewEvent) => void;
}): ReactNode {
  const t = useT();
  const nowMs = useNow(30_000);
  const { kind, state, dispatch } = props;
  const parts = [
    state.oldestAt === null ? "" : t("desk.oldest", { age: formatAge(state.oldestAt, nowMs) }),
    state.marks.size === 0 ? "" : t("desk.review.decided", { done: state.marks.size, count: state.rows.length }),
  ];
  const isKnown = state.phase === "ready" || state.rows.length > 0;
  const together = safeTogether(state).length;
  return (
    <header className={styles.bar}>
      <div className={styles.head}>
        <h2>{isKnown ? t(`desk.review.${kind}`, { count: state.waiting }) : t(`desk.tab.${kind}`)}</h2>
        <p>{parts.filter((part) => part !== "").join(" · ")}</p>
      </div>
      {together > 1 && (
        <button type="button" className={styles.together} onClick={() => dispatch({ type: "approve-random" })}>
          <Check size={16} aria-hidden="true" />
          {t("desk.review.together", { count: together })}
        </button>
      )}
      <Filters state={state} dispatch={dispatch} />
      <div className={styles.mode} role="group" aria-label={t("desk.review.layout")}>
        <button
          type="button"
          aria-pressed={state.mode === "grid"}
          onClick={() => dispatch({ type: "mode", mode: "grid" })}
        >
          <Grid2x2 size={18} aria-hidden="true" />
          {t("desk.review.grid")}
        </button>
        <button
          type="button"
          aria-pressed={state.mode === "one"}
          onClick={() => dispatch({ type: "mode", mode: "one" })}
        >
          <ImageIcon size={18} aria-hidden="true" />
          {t("desk.review.one")}
          <Kbd>V</Kbd>
        </button>
      </div>
    </header>
  );
}

function Filters({ state, dispatch }: { state: ReviewState; dispatch: (event: ReviewEvent) => void }): ReactNode {
  const t = useT();
  return (
    <div className={styles.filters} role="group" aria-label={t("desk.review.filter")}>
      {pictureFilters.map((filter) => {
        const count = state.rows.filter((row) => belongsTo(filter, row) && !state.marks.has(row.id)).length;
        return (
          <button
            key={filter}
            type="button"
            aria-pressed={state.filter === filter}
            onClick={() => dispatch({ type: "filter", filter })}
          >
            {t(`desk.filter.${filter}`)}
            {/* Only what has arrived can be counted. */}
            <span>{state.next === null ? formatNumber(count) : `${formatNumber(count)}+`}</span>
          </button>
        );
      })}
    </div>
  );
}
