import type { ReactNode } from "react";
import { formatNumber } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { formatAge, formatShare } from "./desk-format.ts";
import type { FigureDays, FiguresData } from "./FiguresTab.tsx";
import { useNow } from "./use-now.ts";
import styles from "./FigureNumbers.module.css";

/** Four numbers, each with what it was counted from. */
export function FigureNumbers({ figures, days }: { figures: FiguresData; days: FigureDays }): ReactNode {
  const t = useT();
  const nowMs = useNow(60_000);
  const { overturned, machine_right: machine, oldest_at: oldest } = figures;
  return (
    <dl className={styles.numbers}>
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
