import { type ReactNode, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminDaily, figureSpans } from "@fava/wire/endpoints/operator.ts";
import { formatShortDate } from "#lib/format-date.ts";
import { formatBeans, formatMoney, formatNumber } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { LineChart, ShareChart } from "#ui/Chart.tsx";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { formatShare } from "#features/desk/desk-format.ts";
import { counted, Figure, megabytes, WaitTable, wishNames } from "./figure-parts.tsx";
import styles from "./Live.module.css";

type Daily = OutputOf<typeof adminDaily>;
type Cell = number | null;
type Span = (typeof figureSpans)[number];

/** What the server counted in complete days: new accounts, returns, calls and waits. */
export function FiguresTab(): ReactNode {
  const t = useT();
  const [days, setDays] = useState<Span>(14);
  const { data: figures, isError, refetch } = useEndpointQuery(adminDaily, { days });
  return (
    <div className={styles.live}>
      <header className={styles.head}>
        <h2>{t("desk.tab.figures")}</h2>
        <Segmented
          legend={t("desk.figures.time")}
          hideLegend
          value={String(days)}
          options={figureSpans.map((one) => ({ value: String(one), label: t(`desk.figures.days.${one}`) }))}
          onChange={(value) => setDays(figureSpans.find((one) => String(one) === value) ?? days)}
        />
      </header>
      {isError && !figures && <LoadFailure text={t("desk.failed")} onRetry={() => void refetch()} />}
      {!isError && !figures && <Skeleton height="480px" />}
      {figures?.over_time.length === 0 && <p>{t("admin.figures.none")}</p>}
      {figures && figures.over_time.length > 0 && <Figures figures={figures} days={days} />}
    </div>
  );
}

function Figures({ figures, days }: { figures: Daily; days: Span }): ReactNode {
  const t = useT();
  const { calls } = figures;
  const byWish = figures.waits.map(({ wish, searches, matched, ...row }) => {
    const rate = shareOf(matched, searches);
    return { name: t(wishNames[wish]), ...row, rate: rate === null ? counted(null) : formatShare(rate) };
  });
  const people = (step: Daily["funnel"][number]["step"]) =>
    figures.funnel.find((one) => one.step === step)?.people ?? null;
  return (
    <>
      <dl className={styles.numbers} data-money="">
        <MoneyFigure
          label={t("admin.figures.sales")}
          rows={figures.money.map(({ sold, orders, currency }) => ({ minor: sold, count: orders, currency }))}
        />
        <MoneyFigure
          label={t("admin.figures.refunds")}
          rows={figures.money.map(({ refunded, refunds, currency }) => ({ minor: refunded, count: refunds, currency }))}
        />
      </dl>
      <dl className={styles.numbers}>
        <Figure label={t("admin.figures.accounts")} value={counted(people("new"))} />
        <Figure label={t("admin.figures.calls")} value={counted(calls.connected)}>
          {t("desk.figures.of", { count: calls.matches ?? 0 })}
        </Figure>
        <Figure label={t("admin.figures.short")} value={shareText(shareOf(calls.short, calls.connected))}>
          {counted(calls.short)}
        </Figure>
        <Figure label={t("admin.figures.reported")} value={counted(calls.reported)} />
        <Figure label={t("admin.figures.cut")} value={counted(calls.cut)} />
        <Figure label={t("admin.figures.beans")} value={formatBeans(figures.beans_back)} />
        {figures.relay && <RelayCost relay={figures.relay} />}
      </dl>
      <div className={styles.charts}>
        <DaysChart figures={figures} days={days} name="new" titleKey="admin.figures.accounts" />
        <DaysChart figures={figures} days={days} name="connected" titleKey="admin.figures.calls" />
        <PeopleChart
          titleKey="admin.figures.funnel"
          leadKey="admin.figures.funnelLead"
          rows={figures.funnel.map(({ step, ...row }) => ({ ...row, name: t(`admin.figures.step.${step}`) }))}
        />
        <PeopleChart
          titleKey="admin.figures.back"
          leadKey="admin.figures.backLead"
          rows={figures.back.map((row) => ({
            ...row,
            name: t("admin.figures.after", { day: formatNumber(row.after) }),
          }))}
        />
      </div>
      <WaitTable titleKey="admin.live.waits" head="admin.live.wish" rows={byWish} />
      <p className={styles.state}>{t("admin.figures.note")}</p>
    </>
  );
}

interface MoneyFigureProps {
  label: string;
  /** `count`: orders or refunds. */
  rows: readonly { minor: number; count: number; currency: string }[];
}

/** One amount for each currency in which something was sold or refunded. */
function MoneyFigure({ label, rows }: MoneyFigureProps): ReactNode {
  const t = useT();
  const paid = rows.filter(({ count }) => count > 0);
  return (
    <div>
      <dt>{label}</dt>
      {paid.length === 0 && (
        <dd>
          <b>{formatNumber(0)}</b>
        </dd>
      )}
      {paid.map(({ minor, count, currency }) => (
        <dd key={currency}>
          <b>{formatMoney(minor, currency)}</b>
          <span>{t("admin.figures.orders", { count: formatNumber(count) })}</span>
        </dd>
      ))}
    </div>
  );
}

/** What the relay costs, by the traffic that browsers reported. */
function RelayCost({ relay }: { relay: NonNullable<Daily["relay"]> }): ReactNode {
  const t = useT();
  const { bytes_per_call: bytes, thousand_calls: cost, currency } = relay;
  return (
    <Figure
      label={t("admin.figures.relay", { calls: formatNumber(1_000) })}
      value={cost === null ? counted(null) : formatMoney(cost, currency)}
    >
      {bytes !== null && t("admin.figures.relayEach", { size: megabytes(bytes) })}
    </Figure>
  );
}

interface DaysChartProps {
  figures: Daily;
  days: Span;
  name: "new" | "connected";
  titleKey: Key;
}

/** One value a day. Days with fewer than 20 have no point. */
function DaysChart({ figures, days, name, titleKey }: DaysChartProps): ReactNode {
  const t = useT();
  const points = figures.over_time.flatMap((row) => {
    const value = row[name];
    return value === null ? [] : [{ at: Date.parse(row.day), value }];
  });
  const [first, last] = [points[0], points.at(-1)];
  return (
    <LineChart
      tableText={t("desk.figures.table")}
      emptyText={t("desk.figures.nothing")}
      title={t(titleKey)}
      lead={t(`desk.figures.days.${days}`)}
      columns={[t("desk.figures.when"), t(titleKey)]}
      points={points}
      summary={t("admin.live.alt", {
        name: t(titleKey),
        from: formatNumber(first?.value ?? 0),
        now: formatNumber(last?.value ?? 0),
      })}
      timeText={formatShortDate}
      valueText={formatNumber}
      lastText={last ? formatShortDate(last.at) : ""}
    />
  );
}

interface PeopleChartProps {
  titleKey: Key;
  leadKey: Key;
  rows: readonly { name: string; people: Cell; of: Cell }[];
}

/** Counts of people, and their share of another count. */
function PeopleChart({ titleKey, leadKey, rows }: PeopleChartProps): ReactNode {
  const t = useT();
  return (
    <ShareChart
      tableText={t("desk.figures.table")}
      emptyText={t("desk.figures.nothing")}
      title={t(titleKey)}
      lead={t(leadKey)}
      columns={[t(titleKey), t("desk.figures.share"), t("desk.figures.counted")]}
      rows={rows.map(({ name, people, of }) => ({
        name,
        share: shareOf(people, of),
        count: counted(people),
        of: counted(people),
      }))}
      shareText={shareText}
      end={1}
      misses={() => false}
    />
  );
}

function shareOf(part: Cell, of: Cell): number | null {
  return part === null || of === null ? null : part / of;
}

function shareText(share: number | null): string {
  return share === null ? "–" : formatShare(share);
}
