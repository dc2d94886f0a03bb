import type { ReactNode } from "react";
import { formatShortDate } from "#lib/format-date.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { ChartFigure } from "./ChartFigure.tsx";
import { axisEnd, barShapes, chartBox } from "./chart-scale.ts";
import type { FiguresData } from "./FiguresTab.tsx";
import styles from "./Figures.module.css";

/** A case is promised to be reviewed in this time, minutes. */
const promisedMinutes = 5;

/** How long the middle case took, a bar a day: what missed the promise is ink, today is green. */
export function ReviewTimeChart({ figures }: { figures: FiguresData }): ReactNode {
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
