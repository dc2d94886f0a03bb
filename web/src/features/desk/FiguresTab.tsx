import { type ReactNode, useCallback, useEffect, useId, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminFigures } from "@fava/wire/endpoints/appeals.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { formatShortDate } from "#lib/format-date.ts";
import { formatNumber } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { useNow } from "#lib/use-now.ts";
import { Button } from "#ui/Button.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { formatAge, formatHour, formatShare, tellDeskFailure } from "./desk-format.ts";
import figureNumbersStyles from "./FigureNumbers.module.css";
import styles from "./Figures.module.css";

type FiguresData = OutputOf<typeof adminFigures>;
const figureDays = [1, 14, 90] as const;
type FigureDays = (typeof figureDays)[number];

/** How the desk does, in four numbers and four charts; no moderator is named. */
export function FiguresTab({ user }: { user: OwnUser }): ReactNode {
  const t = useT();
  const [days, setDays] = useState<FigureDays>(14);
  const { figures, failed, reload } = useFigures(user.user_id, days);
  return (
    <div className={styles.page} aria-busy={!figures && !failed}>
      <div className={styles.inner}>
        <header className={styles.head}>
          <h2>{t("desk.tab.figures")}</h2>
          <Segmented
            legend={t("desk.figures.time")}
            hideLegend
            value={String(days)}
            options={figureDays.map((one) => ({ value: String(one), label: t(`desk.figures.days.${one}`) }))}
            onChange={(value) => setDays(figureDays.find((one) => String(one) === value) ?? days)}
          />
        </header>
        {failed && (
          <div className={styles.failed}>
            <p>{t("desk.failed")}</p>
            <Button size="small" onClick={reload}>
              {t("desk.again")}
            </Button>
          </div>
        )}
        {!figures && !failed && <Skeleton height="480px" />}
        {figures && (
          <>
            <FigureNumbers figures={figures} days={days} />
            <div className={styles.charts}>
              <WaitingChart figures={figures} days={days} />
              <ReviewTimeChart figures={figures} />
              <RulesChart figures={figures} />
              <OverturnedChart figures={figures} />
            </div>
          </>
        )}
      </div>
    </div>
  );
}

function useFigures(userId: number, days: FigureDays) {
  const [loaded, setLoaded] = useState<{ days: FigureDays; figures: FiguresData | null } | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    call(adminFigures, { user_id: userId, days }, { signal: ended.signal }).then(
      (figures) => setLoaded({ days, figures }),
      (error: unknown) => {
        if (ended.signal.aborted) return;
        setLoaded({ days, figures: null });
        tellDeskFailure(error);
      },
    );
    return () => ended.abort();
  }, [userId, days, tries]);
  const reload = useCallback(() => {
    setLoaded(null);
    setTries((before) => before + 1);
  }, []);
  const current = loaded?.days === days ? loaded : null;
  return { figures: current?.figures ?? null, failed: current !== null && current.figures === null, reload };
}

/** Four numbers, each with what it was counted from. */
function FigureNumbers({ figures, days }: { figures: FiguresData; days: FigureDays }): ReactNode {
  const t = useT();
  const nowMs = useNow(60_000);
  const { overturned, machine_right: machine, oldest_at: oldest } = figures;
  return (
    <dl className={figureNumbersStyles.numbers}>
      <Number label={t("desk.figures.waiting")} value={formatNumber(figures.waiting)}>
        {oldest === null ? t("desk.figures.nothing") : t("desk.oldest", { age: formatAge(oldest, nowMs) })}
      </Number>
      <Number
        label={t("desk.figures.review")}
        value={minutes(figures.review_minutes)}
        {...(figures.review_minutes !== null && { unit: t("desk.figures.minutes") })}
      >
        {comparison(t, figures, days)}
      </Number>
      <Number label={t("desk.figures.overturned")} value={share(overturned.share)}>
        {t("desk.figures.decisions", { count: overturned.of })}
      </Number>
      <Number label={t("desk.figures.machine")} value={share(machine.share)}>
        {t("desk.figures.findings", { count: machine.of })}
      </Number>
    </dl>
  );
}

function Number(props: { label: string; value: string; unit?: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>
        <b>
          {props.value}
          {props.unit !== undefined && <small>{props.unit}</small>}
        </b>
        <span>{props.children}</span>
      </dd>
    </div>
  );
}

function minutes(value: number | null): string {
  return value === null ? "–" : formatNumber(Math.round(value * 10) / 10);
}

function share(value: number | null): string {
  return value === null ? "–" : formatShare(value);
}

/** Against the same span of time before. */
function comparison(t: Translate, figures: FiguresData, days: FigureDays): string {
  const { review_minutes: now, review_minutes_before: before } = figures;
  if (now === null || before === null) return t("desk.figures.noComparison");
  const difference = Math.round((now - before) * 10) / 10;
  const values = { minutes: formatNumber(Math.abs(difference)), days };
  if (difference === 0) return t("desk.figures.same", values);
  return t(difference < 0 ? "desk.figures.faster" : "desk.figures.slower", values);
}

/** A case is promised to be reviewed in this time, minutes. */
const promisedMinutes = 5;

/** How long the middle case took, a bar a day: what missed the promise is ink, today is green. */
function ReviewTimeChart({ figures }: { figures: FiguresData }): ReactNode {
  const t = useT();
  const points = figures.review_over_time;
  const values = points.map(({ minutes }) => minutes);
  const known = values.filter((value) => value !== null);
  const end = axisEnd(Math.max(promisedMinutes * 1.2, ...known));
  const bars = barShapes(values, end);
  const { width, height } = chartBox;
  const promiseY = height * (1 - promisedMinutes / end);
  const text = (value: number | null) =>
    value === null ? "–" : t("desk.figures.min", { minutes: formatNumber(Math.round(value * 10) / 10) });
  const [first] = points;
  const latest = points.at(-1);
  const summary = t("desk.figures.reviewAlt", {
    days: points.length,
    from: text(values[0] ?? null),
    to: text(values.at(-1) ?? null),
  });
  return (
    <ChartFigure
      title={t("desk.figures.reviewOver")}
      lead={t("desk.figures.reviewLead", { minutes: promisedMinutes })}
      columns={[t("desk.figures.when"), t("desk.figures.review")]}
      rows={known.length === 0 ? [] : points.map((point) => [formatShortDate(point.at), text(point.minutes)])}
    >
      <svg viewBox={`0 0 620 ${height + 36}`} role="img" aria-label={summary}>
        <g transform="translate(0 4)">
          {bars.map((bar, index) => (
            <rect
              key={bar.x}
              {...bar}
              rx={Math.min(5, bar.width / 4)}
              className={barClass(values[index] ?? null, index === bars.length - 1)}
            />
          ))}
          <line x1="0" x2={width} y1={promiseY} y2={promiseY} className={styles.goal} />
          <text x={width + 12} y={promiseY + 4} className={styles.tickNow}>
            {text(promisedMinutes)}
          </text>
          {first && (
            <text x="0" y={height + 26} className={styles.tick}>
              {formatShortDate(first.at)}
            </text>
          )}
          {latest && (
            <text x={width} y={height + 26} textAnchor="end" className={styles.tickNow}>
              {t("desk.figures.today", { minutes: text(latest.minutes) })}
            </text>
          )}
        </g>
      </svg>
    </ChartFigure>
  );
}

function barClass(minutes: number | null, isToday: boolean): string | undefined {
  if (minutes !== null && minutes > promisedMinutes) return styles.barMissed;
  return isToday ? styles.barToday : styles.bar;
}

/** Below this a rule is wrong too often; above the other a reason is overturned too often. */
const rightFrom = 0.75;
const overturnedUpTo = 0.05;

interface ShareRow {
  readonly name: string;
  readonly share: number | null;
  readonly of: number;
}

/** How often the findings of each rule were right, as people judged them. */
function RulesChart({ figures }: { figures: FiguresData }): ReactNode {
  const t = useT();
  const rows = figures.rules.map(({ rule, share, of }) => ({ name: t(`desk.rule.${rule}`), share, of }));
  return (
    <ShareChart
      title={t("desk.figures.rules")}
      lead={t("desk.figures.rulesLead")}
      column={t("desk.figures.rule")}
      rows={rows}
      end={1}
      misses={(share) => share < rightFrom}
    />
  );
}

/** How many bans of each reason an appeal took back. */
function OverturnedChart({ figures }: { figures: FiguresData }): ReactNode {
  const t = useT();
  const rows = figures.overturned_by_reason.map(({ reason_id, share, of }) => ({
    name: t(`ban.reason.${reason_id}`),
    share,
    of,
  }));
  const highest = Math.max(overturnedUpTo * 2, ...rows.map(({ share }) => share ?? 0));
  return (
    <ShareChart
      title={t("desk.figures.byReason")}
      lead={t("desk.figures.byReasonLead")}
      column={t("desk.reason")}
      rows={rows}
      end={highest}
      misses={(share) => share > overturnedUpTo}
      foot={t("desk.figures.byReasonFoot", { share: formatShare(overturnedUpTo) })}
    />
  );
}

function ShareChart(props: {
  title: string;
  lead: string;
  column: string;
  rows: readonly ShareRow[];
  end: number;
  misses: (share: number) => boolean;
  foot?: string;
}): ReactNode {
  const t = useT();
  const shown = (share: number | null) => (share === null ? "–" : formatShare(share));
  return (
    <ChartFigure
      title={props.title}
      lead={props.lead}
      columns={[props.column, t("desk.figures.share"), t("desk.figures.counted")]}
      rows={props.rows.map(({ name, share, of }) => [name, shown(share), formatNumber(of)])}
      {...(props.foot !== undefined && { foot: props.foot })}
    >
      <ul className={styles.bars}>
        {props.rows.map(({ name, share, of }) => (
          <li key={name}>
            <span>{name}</span>
            <i aria-hidden="true">
              <b
                style={{ inlineSize: `${Math.min(1, (share ?? 0) / props.end) * 100}%` }}
                data-missed={(share !== null && props.misses(share)) || undefined}
              />
            </i>
            <span className={styles.number}>
              {shown(share)} <small>{t("desk.figures.of", { count: of })}</small>
            </span>
          </li>
        ))}
      </ul>
    </ChartFigure>
  );
}

const ticks = [0, 0.5, 1] as const;
const labelsMax = 4;

/** How many cases waited, over the time. */
function WaitingChart({ figures, days }: { figures: FiguresData; days: FigureDays }): ReactNode {
  const t = useT();
  const points = figures.waiting_over_time;
  const values = points.map(({ waiting }) => waiting);
  const end = axisEnd(Math.max(0, ...values));
  const line = linePoints(values, end);
  const last = line.at(-1);
  const { width, height } = chartBox;
  const at = (atMs: number) => (days === 1 ? formatHour(atMs) : formatShortDate(atMs));
  const every = Math.max(1, Math.ceil(points.length / labelsMax));
  const summary = t("desk.figures.waitingAlt", {
    least: formatNumber(Math.min(...values)),
    most: formatNumber(Math.max(...values)),
    now: formatNumber(values.at(-1) ?? 0),
  });
  return (
    <ChartFigure
      title={t(`desk.figures.waitingOver.${days}`)}
      lead={t("desk.figures.allQueues")}
      columns={[t("desk.figures.when"), t("desk.figures.waiting")]}
      rows={points.map((point) => [at(point.at), formatNumber(point.waiting)])}
    >
      <svg viewBox={`0 0 620 ${height + 36}`} role="img" aria-label={summary}>
        <g transform="translate(0 4)">
          {ticks.map((share) => (
            <g key={share}>
              <line x1="0" x2={width} y1={height * (1 - share)} y2={height * (1 - share)} className={styles.rule} />
              <text x={width + 12} y={height * (1 - share) + 4} className={styles.tick}>
                {formatNumber(end * share)}
              </text>
            </g>
          ))}
          <path d={`${pathOf(line)}L${width} ${height}L${line[0]?.x ?? 0} ${height}Z`} className={styles.area} />
          <path d={pathOf(line)} className={styles.line} />
          {last && <circle cx={last.x} cy={last.y} r="5" className={styles.dot} />}
          {points.slice(0, -1).map(
            (point, index) =>
              index % every === 0 &&
              index + every / 2 < points.length && (
                <text key={point.at} x={line[index]?.x} y={height + 26} className={styles.tick}>
                  {at(point.at)}
                </text>
              ),
          )}
          <text x={width} y={height + 26} textAnchor="end" className={styles.tickNow}>
            {t("desk.figures.now")}
          </text>
        </g>
      </svg>
    </ChartFigure>
  );
}

/** A chart with its title, and the same as a table on request. */
function ChartFigure(props: {
  title: string;
  lead: string;
  /** Names of the columns, and the rows below them. */
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  foot?: string;
  children: ReactNode;
}): ReactNode {
  const t = useT();
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption>
        <div>
          <h3 id={id}>{props.title}</h3>
          <p>{props.lead}</p>
        </div>
        <button
          type="button"
          className={styles.toggle}
          aria-pressed={asTable}
          aria-label={`${t("desk.figures.table")}: ${props.title}`}
          onClick={() => setAsTable(!asTable)}
        >
          {t("desk.figures.table")}
        </button>
      </figcaption>
      {props.rows.length === 0 ? (
        <p className={styles.foot}>{t("desk.figures.nothing")}</p>
      ) : asTable ? (
        <ChartTable title={props.title} columns={props.columns} rows={props.rows} />
      ) : (
        props.children
      )}
      {props.foot !== undefined && <p className={styles.foot}>{props.foot}</p>}
    </figure>
  );
}

function ChartTable(props: {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}): ReactNode {
  return (
    <div className={styles.table}>
      <table>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map(([first, ...others], index) => (
            <tr key={index}>
              <th scope="row">{first}</th>
              {others.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Box of every chart, in its own units; the page scales it. */
export const chartBox = { width: 560, height: 160 } as const;

/** The end of an axis from 0: the next of 1, 2, 4, 5, 8, 10 times a power of ten that is not below `max`. */
export function axisEnd(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [1, 2, 4, 5, 8, 10].find((one) => one * power >= max) ?? 10;
  return step * power;
}

/** Where the values of a line stand, left to right; y is measured from the top. One value stands at the end. */
export function linePoints(values: readonly number[], end: number): readonly { x: number; y: number }[] {
  const { width, height } = chartBox;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values.map((value, index) => ({
    x: values.length > 1 ? index * step : width,
    y: height - (Math.min(value, end) / end) * height,
  }));
}

export function pathOf(points: readonly { x: number; y: number }[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
}

interface BarShape {
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
}

/** Bars side by side over the whole width; a missing value has no height. */
export function barShapes(values: readonly (number | null)[], end: number): readonly BarShape[] {
  const { width, height } = chartBox;
  const step = width / Math.max(1, values.length);
  return values.map((value, index) => {
    const tall = value === null ? 0 : (Math.min(value, end) / end) * height;
    return { x: round(index * step), width: round(step * 0.66), y: round(height - tall), height: round(tall) };
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
