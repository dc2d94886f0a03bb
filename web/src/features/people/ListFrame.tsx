import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import type { ShownList } from "./people-lists.ts";
import styles from "./People.module.css";

const places = [1, 2, 3, 4, 5, 6] as const;

/** What every list has around its rows: loading, failure with retry, nobody, and the button for more. */
export function ListFrame<Row>(props: {
  shown: ShownList<Row>;
  rows: readonly Row[];
  texts: { loading: string; failed: string };
  /** Shown instead of the rows where there are none. */
  empty: ReactNode;
  single?: boolean;
  children: (row: Row) => ReactNode;
}): ReactNode {
  const t = useT();
  const { shown, rows, texts, single } = props;
  const { list } = shown;
  if (list.status === "loading") {
    return (
      <div className={styles.list} data-single={single || undefined} role="status">
        <VisuallyHidden>{texts.loading}</VisuallyHidden>
        {places.map((place) => (
          <Skeleton key={place} height="64px" />
        ))}
      </div>
    );
  }
  if (list.status === "failed") {
    return (
      <div className={styles.trouble} role="alert">
        <b>{texts.failed}</b>
        <Button kind="outline" size="small" onClick={shown.anew}>
          {t("common.retry")}
        </Button>
      </div>
    );
  }
  return (
    <>
      {rows.length === 0 && list.next === null ? (
        props.empty
      ) : (
        <ul className={styles.list} data-single={single || undefined}>
          {rows.map(props.children)}
        </ul>
      )}
      {list.next !== null && (
        <div className={styles.more}>
          {list.more === "failed" && <p role="alert">{texts.failed}</p>}
          <Button kind="outline" size="small" pill loading={list.more === "loading"} onClick={shown.more}>
            {t("people.more")}
          </Button>
        </div>
      )}
    </>
  );
}

/** Nobody here yet: what would bring somebody. */
export function Nobody({ icon, title, text }: { icon: ReactNode; title: string; text: string }): ReactNode {
  return (
    <div className={styles.nobody} role="status">
      <span aria-hidden="true">{icon}</span>
      <b>{title}</b>
      <p>{text}</p>
    </div>
  );
}
