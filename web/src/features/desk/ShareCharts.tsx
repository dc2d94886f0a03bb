import type { ReactNode } from "react";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { ChartFigure } from "./ChartFigure.tsx";
import { formatShare } from "./desk-format.ts";
import type { FiguresData } from "./FiguresTab.tsx";
import styles from "./Figures.module.css";

/** Below this a rule is wrong too often; above the other a reason is overturned too often. */
const rightFrom = 0.75;
const overturnedUpTo = 0.05;

interface ShareRow {
  readonly name: string;
  readonly share: number | null;
  readonly of: number;
}

/** How often the findings of each rule were right, as people judged them. */
export function RulesChart({ figures }: { figures: FiguresData }): ReactNode {
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
export function OverturnedChart({ figures }: { figures: FiguresData }): ReactNode {
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
