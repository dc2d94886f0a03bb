import type { ReactNode } from "react";
import { formatShortDate } from "#lib/format-date.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { ChartFigure } from "./ChartFigure.tsx";
import { axisEnd, chartBox, linePoints, pathOf } from "./chart-scale.ts";
import { formatHour } from "./desk-format.ts";
import type { FigureDays, FiguresData } from "./FiguresTab.tsx";
import styles from "./Figures.module.css";

const ticks = [0, 0.5, 1] as const;
const labelsMax = 4;

/** How many cases waited, over the time. */
export function WaitingChart({ figures, days }: { figures: FiguresData; days: FigureDays }): ReactNode {
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
