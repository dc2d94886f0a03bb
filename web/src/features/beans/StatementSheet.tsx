import { CreditCard, ReceiptText, Scale, ShieldCheck, SlidersHorizontal, Undo2, Video } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { beanStatement, type StatementKind } from "@fava/wire/endpoints/beans.ts";
import { formatDay, formatTime } from "#lib/format-date.ts";
import { formatBeans, formatDuration, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { queryClient, useEndpointPages } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Bean } from "#ui/Bean.tsx";
import { BeanGauge } from "#ui/BeanGauge.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { MorePages } from "#ui/MorePages.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { askToWithdraw, showReceipt } from "./chosen-order.ts";
import { usePrices } from "./prices.ts";
import { useWallet, type Wallet } from "./wallet.ts";
import styles from "./Statement.module.css";

type StatementRow = OutputOf<typeof beanStatement>["rows"][number];
type StatementFilter = 0 | 1 | 2 | 3;

const places = [1, 2, 3, 4] as const;

/** Balance, cap, and every transfer of beans with the balance after it. */
export function StatementSheet(): ReactNode {
  const t = useT();
  const isMobile = useIsMobile();
  const [filter, setFilter] = useState<StatementFilter>(0);
  return (
    <Sheet widthPx={1040} fullScreen={isMobile} title={t("statement.title")} onClose={() => closeOverlay("statement")}>
      <StatementTop />
      <FilterChips filter={filter} onPick={setFilter} />
      <Rows filter={filter} />
      <p className={styles.note}>{t("statement.note")}</p>
    </Sheet>
  );
}

/** Every transfer of one kind, page by page. */
function Rows({ filter }: { filter: StatementFilter }): ReactNode {
  const t = useT();
  const userId = useUser()?.user_id;
  const statement = useEndpointPages(beanStatement, userId === undefined ? null : { user_id: userId, filter }, {
    keyOf: ({ id }) => id,
  });
  if (statement.isPending) return <Loading />;
  if (!statement.data) {
    return (
      <EmptyState title={t("statement.failed")} role="alert">
        <Button kind="outline" size="small" onClick={() => void statement.refetch()}>
          {t("common.retry")}
        </Button>
      </EmptyState>
    );
  }
  const { rows } = statement.data;
  if (rows.length === 0) {
    return (
      <EmptyState title={t(filter === 0 ? "statement.empty" : "statement.emptyFilter")} role="status">
        {filter === 0 && <p>{t("statement.emptyText")}</p>}
      </EmptyState>
    );
  }
  return (
    <>
      <StatementTable rows={rows} onWithdrawn={readAnew} />
      <MorePages
        pages={statement}
        text={t("statement.more")}
        failedText={t("statement.failed")}
        className={styles.more}
      />
    </>
  );
}

/**
 * Loads the statement again from its newest row, because loaded rows still offer a withdrawal that is no longer
 * possible.
 */
function readAnew(): void {
  void queryClient.resetQueries({ queryKey: [beanStatement.path] });
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

const filters = [0, 1, 2, 3] as const;

/** Which transfers are shown: one choice, moved by arrow keys. */
function FilterChips(props: { filter: StatementFilter; onPick: (filter: StatementFilter) => void }): ReactNode {
  const t = useT();
  const name = useId();
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">{t("statement.show")}</legend>
      {filters.map((filter) => (
        <label key={filter}>
          <input type="radio" name={name} checked={filter === props.filter} onChange={() => props.onPick(filter)} />
          {t(`statement.filter.${filter}`)}
        </label>
      ))}
    </fieldset>
  );
}

const icons: Readonly<Record<StatementKind, typeof Video>> = {
  purchase: CreditCard,
  call: Video,
  credit: ShieldCheck,
  refund: Undo2,
  dispute: Scale,
  adjustment: SlidersHorizontal,
};

/** A real table on a desktop; a phone stacks the same cells. */
function StatementTable(props: { rows: readonly StatementRow[]; onWithdrawn: () => void }): ReactNode {
  const t = useT();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t("statement.when")}</th>
          <th scope="col">{t("statement.what")}</th>
          <th scope="col" data-number>
            {t("statement.beans")}
          </th>
          <th scope="col" data-number>
            {t("statement.after")}
          </th>
          <th scope="col">
            <span className="visually-hidden">{t("statement.actions")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <Row key={row.id} row={row} onWithdrawn={props.onWithdrawn} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, onWithdrawn }: { row: StatementRow; onWithdrawn: () => void }): ReactNode {
  const t = useT();
  const Icon = icons[row.kind];
  const about = aboutRow(t, row);
  return (
    <tr>
      <td className={styles.when}>
        <time dateTime={new Date(row.at).toISOString()}>{formatTime(row.at)}</time>
      </td>
      <td className={styles.what}>
        <i data-in={row.beans > 0 || undefined} aria-hidden="true">
          <Icon size={18} />
        </i>
        <p>
          <b>{t(`statement.${row.kind}`)}</b>
          {about !== "" && <small>{about}</small>}
        </p>
      </td>
      <td className={styles.amount} data-number data-in={row.beans > 0 || undefined}>
        <bdi dir="ltr" translate="no">
          {signed(row.beans)}
        </bdi>
      </td>
      <td className={styles.after} data-number>
        <bdi dir="ltr" translate="no">
          {formatBeans(row.balance_after)}
        </bdi>
      </td>
      <td className={styles.actions}>
        <Actions row={row} onWithdrawn={onWithdrawn} />
      </td>
    </tr>
  );
}

function Actions({ row, onWithdrawn }: { row: StatementRow; onWithdrawn: () => void }): ReactNode {
  const t = useT();
  const { order_no: orderNo } = row;
  if (row.kind !== "purchase" || orderNo === null) return null;
  const count = formatBeans(row.beans);
  async function withdraw(order: string): Promise<void> {
    if ((await askToWithdraw(order)) === "done") onWithdrawn();
  }
  return (
    <span>
      {row.withdraw_until !== null && (
        <Button
          kind="outline"
          size="small"
          aria-label={t("statement.withdrawLabel", { count })}
          onClick={() => void withdraw(orderNo)}
        >
          {t("statement.withdraw")}
        </Button>
      )}
      <IconButton
        label={t("statement.receipt", { count })}
        icon={<ReceiptText size={20} aria-hidden="true" />}
        onClick={() => showReceipt(orderNo)}
      />
    </span>
  );
}

/** The second line of a row: why, how long, until when, or which order. */
function aboutRow(t: Translate, row: StatementRow): string {
  if (row.reason !== null) return t(`statement.reason.${row.reason}`);
  if (row.paid_seconds !== null) return t("statement.seconds", { time: formatDuration(row.paid_seconds) });
  if (row.withdraw_until !== null) return t("statement.unused", { day: formatDay(dayOf(row.withdraw_until)) });
  return row.order_no === null ? "" : t("statement.order", { number: isolate(row.order_no) });
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function signed(beans: number): string {
  return beans > 0 ? `+${formatBeans(beans)}` : `−${formatBeans(-beans)}`;
}

/** The balance, the debt, and the daily cap. */
function StatementTop(): ReactNode {
  const t = useT();
  const prices = usePrices();
  const wallet = useWallet();
  const balance = useUser()?.credit5 ?? 0;
  const debt = wallet?.debt ?? 0;
  return (
    <div className={styles.top}>
      <section className={styles.gold} aria-label={t("statement.balance")}>
        <p>
          <b translate="no">
            <Bean size={30} />
            {formatBeans(balance)}
          </b>
          <small>{t("statement.worth", { money: prices.inMoney(balance) })}</small>
        </p>
        <Button kind="ink" size="small" pill onClick={() => void openOverlay("shop")}>
          {t("beans.get")}
        </Button>
        {debt > 0 && <p className={styles.debt}>{t("statement.debt", { count: formatBeans(debt) })}</p>}
      </section>
      <section className={styles.cap} aria-label={t("statement.cap")}>
        <div>
          <b>{t("statement.cap")}</b>
          <Button kind="plain" size="small" onClick={() => void openOverlay("cap")}>
            {t("statement.change")}
          </Button>
        </div>
        {wallet && <CapUse cap={wallet.cap} />}
      </section>
    </div>
  );
}

function CapUse({ cap }: { cap: Wallet["cap"] }): ReactNode {
  const t = useT();
  const { beans, spent_today } = cap;
  const spent = formatBeans(spent_today);
  if (beans === null) return <small>{t("statement.capNone", { spent })}</small>;
  return (
    <>
      <BeanGauge label={t("meter.spentToday")} used={spent_today} of={beans} />
      <small>{t("statement.capUsed", { spent, cap: formatBeans(beans) })}</small>
    </>
  );
}
