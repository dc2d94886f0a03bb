import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Trouble } from "#ui/Trouble.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { FilterChips } from "./FilterChips.tsx";
import type { StatementList } from "./statement-list.ts";
import { StatementTable } from "./StatementTable.tsx";
import { StatementTop } from "./StatementTop.tsx";
import { useStatement } from "./use-statement.ts";
import styles from "./StatementSheet.module.css";

const places = [1, 2, 3, 4] as const;

/** Balance, cap, and every transfer of one's beans with the balance after it (rule BEANS-360). */
export function StatementSheet(): ReactNode {
  const t = useT();
  const isMobile = useIsMobile();
  const { list, show, more } = useStatement();
  const { filter } = list.ask;
  return (
    <Sheet widthPx={1040} fullScreen={isMobile} title={t("statement.title")} onClose={() => closeOverlay("statement")}>
      <StatementTop />
      <FilterChips filter={filter} onPick={show} />
      <Rows list={list} onMore={more} onAnew={() => show(filter)} />
      <p className={styles.note}>{t("statement.note")}</p>
    </Sheet>
  );
}

function Rows({ list, onMore, onAnew }: { list: StatementList; onMore: () => void; onAnew: () => void }): ReactNode {
  const t = useT();
  if (list.status === "loading") return <Loading />;
  if (list.status === "failed") {
    return (
      <Trouble title={t("statement.failed")} role="alert">
        <Button kind="outline" size="small" onClick={onAnew}>
          {t("common.retry")}
        </Button>
      </Trouble>
    );
  }
  if (list.rows.length === 0) {
    return (
      <Trouble title={t(list.ask.filter === 0 ? "statement.empty" : "statement.emptyFilter")} role="status">
        {list.ask.filter === 0 && <p>{t("statement.emptyText")}</p>}
      </Trouble>
    );
  }
  return (
    <>
      <StatementTable rows={list.rows} onWithdrawn={onAnew} />
      {list.next !== null && (
        <div className={styles.more}>
          {list.more === "failed" && <p role="alert">{t("statement.failed")}</p>}
          <Button kind="outline" size="small" loading={list.more === "loading"} onClick={onMore}>
            {t("statement.more")}
          </Button>
        </div>
      )}
    </>
  );
}

function Loading(): ReactNode {
  const t = useT();
  return (
    <div className={styles.loading} role="status">
      <VisuallyHidden>{t("statement.loading")}</VisuallyHidden>
      {places.map((place) => (
        <Skeleton key={place} height="58px" />
      ))}
    </div>
  );
}
