import { Coffee } from "lucide-react";
import type { ReactNode } from "react";
import { roles } from "@fava/wire/people.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import type { CaseEvent } from "./case-machine.ts";
import type { CasesState } from "./case-state.ts";
import { formatAge } from "./desk-format.ts";
import { useDeskInfo } from "./desk-info.ts";
import { QueueRow } from "./QueueRow.tsx";
import { useNow } from "./use-now.ts";
import styles from "./Queue.module.css";

const orders = ["harm", "oldest", "mine"] as const;
const boxes = ["reports", "restricted"] as const;
const skeletonRows = 6;

/** What waits, in the chosen order; administrators also see the restricted queue. */
export function Queue(props: { state: CasesState; dispatch: (event: CaseEvent) => void; role: number }): ReactNode {
  const t = useT();
  const nowMs = useNow(30_000);
  const { state, dispatch } = props;
  const { box, order, queue } = state;
  const isKnown = queue.phase === "ready" || queue.rows.length > 0;
  return (
    <nav className={styles.queue} aria-label={t("desk.tab.reports")} aria-busy={queue.phase === "loading"}>
      <header>
        <h2>{isKnown ? t("desk.waiting", { count: queue.waiting }) : t("desk.tab.reports")}</h2>
        {queue.oldestAt !== null && <span>{t("desk.oldest", { age: formatAge(queue.oldestAt, nowMs) })}</span>}
      </header>
      <div className={styles.filters}>
        {props.role >= roles.administrator && <Boxes state={state} dispatch={dispatch} />}
        <Segmented
          legend={t("desk.order")}
          hideLegend
          value={order}
          options={orders.map((value) => ({ value, label: t(`desk.order.${value}`) }))}
          onChange={(value) => dispatch({ type: "filter", box, order: value })}
        />
      </div>
      <QueueRows state={state} dispatch={dispatch} nowMs={nowMs} />
    </nav>
  );
}

function Boxes({ state, dispatch }: { state: CasesState; dispatch: (event: CaseEvent) => void }): ReactNode {
  const t = useT();
  const info = useDeskInfo();
  const label = (box: (typeof boxes)[number]) =>
    box === "restricted" && info && info.restricted > 0
      ? t("desk.box.restrictedCount", { count: formatNumber(info.restricted) })
      : t(`desk.box.${box}`);
  return (
    <Segmented
      legend={t("desk.box")}
      hideLegend
      value={state.box}
      options={boxes.map((value) => ({ value, label: label(value) }))}
      onChange={(box) => dispatch({ type: "filter", box, order: state.order })}
    />
  );
}

function QueueRows(props: { state: CasesState; dispatch: (event: CaseEvent) => void; nowMs: number }): ReactNode {
  const t = useT();
  const { state, dispatch, nowMs } = props;
  const { queue, open } = state;
  if (queue.phase === "failed" && queue.rows.length === 0)
    return (
      <div className={styles.state}>
        <p>{t("desk.failed")}</p>
        <Button size="small" onClick={() => dispatch({ type: "refresh" })}>
          {t("desk.again")}
        </Button>
      </div>
    );
  if (queue.phase === "loading" && queue.rows.length === 0)
    return (
      <div className={styles.rows}>
        {Array.from({ length: skeletonRows }, (_, index) => (
          <Skeleton key={index} height="64px" />
        ))}
      </div>
    );
  if (queue.rows.length === 0)
    return (
      <div className={styles.state}>
        <Coffee size={28} aria-hidden="true" />
        <p>{t("desk.empty")}</p>
        <Button size="small" onClick={() => dispatch({ type: "refresh" })}>
          {t("desk.refresh")}
        </Button>
      </div>
    );
  return (
    <ul className={styles.rows}>
      {queue.rows.map((row) => (
        <li key={row.id}>
          <QueueRow
            row={row}
            isOpen={row.id === open?.id}
            nowMs={nowMs}
            onOpen={() => dispatch({ type: "open", id: row.id })}
          />
        </li>
      ))}
      {queue.next !== null && (
        <li>
          <Button size="small" kind="plain" block onClick={() => dispatch({ type: "more" })}>
            {t("desk.more")}
          </Button>
        </li>
      )}
    </ul>
  );
}
