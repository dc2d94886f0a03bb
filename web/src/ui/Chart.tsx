import { type ReactNode, useId, useState } from "react";
import { classNames } from "#ui/class-names.ts";
import { TableScroll } from "#ui/Table.tsx";
import styles from "#ui/Chart.module.css";

/** A chart with its title, and its data as a table on request. */
export interface ChartFrame {
  title: string;
  lead: string;
  /** Column headings of the table. */
  columns: readonly string[];
  /** Label of the button that shows the table. */
  tableText: string;
  /** Shown instead of a chart without data. */
  emptyText: string;
  foot?: string;
}

function ChartFigure(props: ChartFrame & { rows: readonly (readonly string[])[]; children: ReactNode }): ReactNode {
  const { title, rows, foot } = props;
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption>
        <div>
          <h3 id={id}>{title}</h3>
          <p>{props.lead}</p>
        </div>
        <button
          type="button"
          className={styles.toggle}
          aria-pressed={asTable}
          aria-label={`${props.tableText}: ${title}`}
          onClick={() => setAsTable(!asTable)}
        >
          {props.tableText}
        </button>
      </figcaption>
      {rows.length > 0 && (asTable ? <ChartTable columns={props.columns} rows={rows} /> : props.children)}
      {rows.length === 0 && <p className={styles.foot}>{props.emptyText}</p>}
      {foot !== undefined && <p className={styles.foot}>{foot}</p>}
    </figure>
  );
}

function ChartTable(props: { columns: readonly string[]; rows: readonly (readonly string[])[] }): ReactNode {
  return (
    <TableScroll className={styles.table}>
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
    </TableScroll>
  );
}

/** The alternative text of a drawing, and the labels at both ends of its axis. */
interface Axis {
  summary: string;
  /** The label of a place on the time axis. */
  timeText: (atMs: number) => string;
  valueText: (value: number) => string;
  /** The label below the last place. */
  lastText: string;
}

const tickShares = [0, 0.5, 1] as const;
const labelsMax = 4;

/** A line over time, above a filled area; times in milliseconds since the epoch. */
export function LineChart(props: ChartFrame & Axis & { points: readonly { at: number; value: number }[] }): ReactNode {
  const { points, timeText, valueText } = props;
  const values = points.map(({ value }) => value);
  const end = axisEnd(Math.max(0, ...values));
  const line = linePoints(values, end);
  const last = line.at(-1);
  const { width, height } = chartBox;
  const every = Math.max(1, Math.ceil(points.length / labelsMax));
  const isLabelled = (index: number) => index % every === 0 && index + every / 2 < points.length;
  return (
    <ChartFigure {...props} rows={points.map(({ at, value }) => [timeText(at), valueText(value)])}>
      <Drawing summary={props.summary}>
        {tickShares.map((share) => (
          <g key={share}>
            <line x1="0" x2={width} y1={height * (1 - share)} y2={height * (1 - share)} className={styles.rule} />
            <text x={width + 12} y={height * (1 - share) + 4} className={styles.tick}>
              {valueText(end * share)}
            </text>
          </g>
        ))}
        <path d={`${pathOf(line)}L${width} ${height}L${line[0]?.x ?? 0} ${height}Z`} className={styles.area} />
        <path d={pathOf(line)} className={styles.line} />
        {last && <circle cx={last.x} cy={last.y} r="5" className={styles.dot} />}
        {points.slice(0, -1).map(
          ({ at }, index) =>
            isLabelled(index) && (
              <text key={at} x={line[index]?.x} y={height + 26} className={styles.tick}>
                {timeText(at)}
              </text>
            ),
        )}
        <text x={width} y={height + 26} textAnchor="end" className={styles.tickNow}>
          {props.lastText}
        </text>
      </Drawing>
    </ChartFigure>
  );
}

/**
 * One bar per moment. Bars above `goal` are dark; the last one is green unless it is above. A missing value has a place
 * but no bar.
 */
export function BarChart(
  props: ChartFrame &
    Omit<Axis, "valueText"> & {
      points: readonly { at: number; value: number | null }[];
      valueText: (value: number | null) => string;
      goal: number;
    },
): ReactNode {
  const { points, goal, timeText, valueText } = props;
  const values = points.map(({ value }) => value);
  const known = values.filter((value) => value !== null);
  const end = axisEnd(Math.max(goal * 1.2, ...known));
  const { width, height } = chartBox;
  const goalY = height * (1 - goal / end);
  const [first] = points;
  const look = (value: number | null | undefined, isLast: boolean) => {
    if (value != null && value > goal) return styles.barMissed;
    return isLast ? styles.barLast : styles.bar;
  };
  return (
    <ChartFigure
      {...props}
      rows={known.length === 0 ? [] : points.map(({ at, value }) => [timeText(at), valueText(value)])}
    >
      <Drawing summary={props.summary}>
        {barShapes(values, end).map((bar, index) => (
          <rect
            key={bar.x}
            {...bar}
            rx={Math.min(5, bar.width / 4)}
            className={look(values[index], index === values.length - 1)}
          />
        ))}
        <line x1="0" x2={width} y1={goalY} y2={goalY} className={styles.goal} />
        <text x={width + 12} y={goalY + 4} className={styles.tickNow}>
          {valueText(goal)}
        </text>
        {first && (
          <text x="0" y={height + 26} className={styles.tick}>
            {timeText(first.at)}
          </text>
        )}
        <text x={width} y={height + 26} textAnchor="end" className={styles.tickNow}>
          {props.lastText}
        </text>
      </Drawing>
    </ChartFigure>
  );
}

/** The drawing of a chart in its own units, with space for labels at its end and below it. */
function Drawing({ summary, children }: { summary: string; children: ReactNode }): ReactNode {
  return (
    <svg viewBox={`0 0 620 ${chartBox.height + 36}`} role="img" aria-label={summary}>
      <g transform="translate(0 4)">{children}</g>
    </svg>
  );
}

/** Shares as horizontal bars, each with the number behind it; `misses` are dark. */
export function ShareChart(
  props: ChartFrame & {
    rows: readonly { name: string; share: number | null; count: string; of: string }[];
    shareText: (share: number | null) => string;
    /** The share, 0 to 1, at which a bar fills its whole line. */
    end: number;
    misses: (share: number) => boolean;
  },
): ReactNode {
  const { rows, shareText } = props;
  return (
    <ChartFigure {...props} rows={rows.map(({ name, share, count }) => [name, shareText(share), count])}>
      <ul className={styles.bars}>
        {rows.map(({ name, share, of }) => (
          <li key={name}>
            <span>{name}</span>
            <i aria-hidden="true">
              <b
                style={{ inlineSize: `${Math.min(1, (share ?? 0) / props.end) * 100}%` }}
                className={classNames(share !== null && props.misses(share) && styles.missed)}
              />
            </i>
            <span className={styles.number}>
              {shareText(share)} <small>{of}</small>
            </span>
          </li>
        ))}
      </ul>
    </ChartFigure>
  );
}

/** The size of every chart, in its own units; the page scales it. */
export const chartBox = { width: 560, height: 160 } as const;

/** The end of an axis from 0: the lowest of 1, 2, 4, 5, 8, 10 times a power of ten that is not below `max`. */
export function axisEnd(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [1, 2, 4, 5, 8, 10].find((one) => one * power >= max) ?? 10;
  return step * power;
}

/** The points of a line, left to right; y is measured from the top. A single value is at the end. */
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
