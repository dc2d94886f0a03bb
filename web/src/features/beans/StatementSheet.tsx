import { CreditCard, ReceiptText, Scale, ShieldCheck, SlidersHorizontal, Undo2, Video } from "lucide-react";
import { type ReactNode, useEffect, useId, useReducer } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { beanStatement, type StatementKind } from "@fava/wire/endpoints/beans.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { call } from "#lib/api/call.ts";
import { formatDay, formatTime } from "#lib/format-date.ts";
import { formatBeans, formatDuration, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { usePrices } from "#lib/prices.ts";
import { useUser } from "#lib/session.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { useWallet, type Wallet } from "#lib/wallet.ts";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Trouble } from "#ui/Trouble.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { askToWithdraw, showReceipt } from "./use-order.ts";
import filterChipsStyles from "./FilterChips.module.css";
import statementTableStyles from "./StatementTable.module.css";
import statementTopStyles from "./StatementTop.module.css";
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

const filters = [0, 1, 2, 3] as const;

/** Which transfers are shown: one choice, and the arrow keys move it. */
function FilterChips(props: { filter: StatementFilter; onPick: (filter: StatementFilter) => void }): ReactNode {
  const t = useT();
  const name = useId();
  return (
    <fieldset className={filterChipsStyles.filters}>
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

/** A real table on a desk; a phone stacks the same cells. */
function StatementTable(props: { rows: readonly StatementRow[]; onWithdrawn: () => void }): ReactNode {
  const t = useT();
  return (
    <table className={statementTableStyles.table}>
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
      <td className={statementTableStyles.when}>
        <time dateTime={new Date(row.at).toISOString()}>{formatTime(row.at)}</time>
      </td>
      <td className={statementTableStyles.what}>
        <i data-in={row.beans > 0 || undefined} aria-hidden="true">
          <Icon size={18} />
        </i>
        <p>
          <b>{t(`statement.${row.kind}`)}</b>
          {about !== "" && <small>{about}</small>}
        </p>
      </td>
      <td className={statementTableStyles.amount} data-number data-in={row.beans > 0 || undefined}>
        <bdi dir="ltr">{signed(row.beans)}</bdi>
      </td>
      <td className={statementTableStyles.after} data-number>
        <bdi dir="ltr">{formatBeans(row.balance_after)}</bdi>
      </td>
      <td className={statementTableStyles.actions}>
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

/** What there is, what is owed, and the day's cap. */
function StatementTop(): ReactNode {
  const t = useT();
  const prices = usePrices();
  const wallet = useWallet();
  const balance = useUser()?.credit5 ?? 0;
  const debt = wallet?.debt ?? 0;
  return (
    <div className={statementTopStyles.top}>
      <section className={statementTopStyles.gold} aria-label={t("statement.balance")}>
        <p>
          <b>{formatBeans(balance)}</b>
          <small>{t("statement.worth", { money: prices.inMoney(balance) })}</small>
        </p>
        <Button kind="ink" size="small" pill onClick={() => void openOverlay("shop")}>
          {t("beans.get")}
        </Button>
        {debt > 0 && <p className={statementTopStyles.debt}>{t("statement.debt", { count: formatBeans(debt) })}</p>}
      </section>
      <section className={statementTopStyles.cap} aria-label={t("statement.cap")}>
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
      <meter aria-label={t("meter.spentToday")} min={0} max={Math.max(1, beans)} value={Math.min(spent_today, beans)} />
      <small>{t("statement.capUsed", { spent, cap: formatBeans(beans) })}</small>
    </>
  );
}

/** The statement of the signed-in person, page by page. */
function useStatement(): {
  list: StatementList;
  show: (filter: StatementFilter) => void;
  more: () => void;
} {
  const [list, dispatch] = useReducer(stepStatement, firstList);
  const userId = useUser()?.user_id;
  const { ask } = list;
  useEffect(() => {
    if (userId === undefined) return undefined;
    const owner = new AbortController();
    call(beanStatement, { user_id: userId, ...ask }, { quiet: true, signal: owner.signal }).then(
      (page) => dispatch({ type: "loaded", ask, page }),
      (error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason !== "aborted") dispatch({ type: "failed", ask });
      },
    );
    return () => owner.abort();
  }, [userId, ask]);
  return {
    list,
    show: (filter) => dispatch({ type: "show", filter }),
    more: () => dispatch({ type: "more" }),
  };
}

export type StatementPage = OutputOf<typeof beanStatement>;
type StatementRow = StatementPage["rows"][number];
type StatementFilter = 0 | 1 | 2 | 3;

/** One page that is asked for; `cursor` undefined: from the newest row on. A new object is a new question. */
interface Ask {
  readonly filter: StatementFilter;
  readonly cursor: string | undefined;
}

/** The statement as it is shown. Only the answer to the present `ask` counts; a late one to an older changes nothing. */
export type StatementList = { ask: Ask } & (
  | { status: "loading" }
  | { status: "failed" }
  | {
      status: "ready";
      rows: readonly StatementRow[];
      next: string | null;
      more: "idle" | "loading" | "failed";
    }
);

export type StatementEvent =
  /** Another filter, another try, or a transfer that came meanwhile. */
  | { type: "show"; filter: StatementFilter }
  | { type: "more" }
  | { type: "loaded"; ask: Ask; page: StatementPage }
  | { type: "failed"; ask: Ask };

export const firstList: StatementList = { ask: { filter: 0, cursor: undefined }, status: "loading" };

/** Pure; whoever shows the list asks the server for every new `ask`. */
export function stepStatement(list: StatementList, event: StatementEvent): StatementList {
  switch (event.type) {
    case "show":
      return { ask: { filter: event.filter, cursor: undefined }, status: "loading" };
    case "more":
      if (list.status !== "ready" || list.next === null || list.more === "loading") return list;
      return { ...list, ask: { filter: list.ask.filter, cursor: list.next }, more: "loading" };
    case "loaded":
      return event.ask === list.ask ? loaded(list, event.page) : list;
    case "failed":
      if (event.ask !== list.ask) return list;
      return list.status === "ready" ? { ...list, more: "failed" } : { ask: list.ask, status: "failed" };
  }
}

function loaded(list: StatementList, page: StatementPage): StatementList {
  const before = list.status === "ready" ? list.rows : [];
  return { ask: list.ask, status: "ready", rows: [...before, ...page.rows], next: page.next, more: "idle" };
}
