import { CreditCard, ReceiptText, Scale, ShieldCheck, SlidersHorizontal, Undo2, Video } from "lucide-react";
import type { ReactNode } from "react";
import type { StatementKind } from "@fava/wire/endpoints/beans.ts";
import { formatBeans, formatDuration, isolate } from "#lib/format.ts";
import { formatDay, formatTime } from "#lib/format-date.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { askToWithdraw, showReceipt } from "./chosen-order.ts";
import type { StatementRow } from "./statement-list.ts";
import styles from "./StatementTable.module.css";

const icons: Readonly<Record<StatementKind, typeof Video>> = {
  purchase: CreditCard,
  call: Video,
  credit: ShieldCheck,
  refund: Undo2,
  dispute: Scale,
  adjustment: SlidersHorizontal,
};

/** A real table on a desk; a phone stacks the same cells. */
export function StatementTable(props: { rows: readonly StatementRow[]; onWithdrawn: () => void }): ReactNode {
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
        <bdi dir="ltr">{signed(row.beans)}</bdi>
      </td>
      <td className={styles.after} data-number>
        <bdi dir="ltr">{formatBeans(row.balance_after)}</bdi>
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

/** What a row says under its name: why, how long, until when, or which order. */
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
