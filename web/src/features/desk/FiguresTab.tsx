import { type ReactNode, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminFigures } from "@fava/wire/endpoints/appeals.ts";
import { caseReviewGoalMs } from "@fava/wire/limits.ts";
import { type OwnUser, roles } from "@fava/wire/people.ts";
import { formatAs, formatShortDate } from "#lib/format-date.ts";
import { formatNumber } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { useNow } from "#lib/use-now.ts";
import { BarChart, LineChart, ShareChart } from "#ui/Chart.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { formatAge, formatShare } from "./desk-format.ts";
import { requestOptions, useFailureToast } from "./desk-query.ts";
import { EmptyNotice } from "./parts.tsx";
import { RandomCheck } from "./RandomCheck.tsx";
import { TextRules } from "./TextRules.tsx";
import styles from "./Figures.module.css";

type FiguresData = OutputOf<typeof adminFigures>;
const figureDays = [1, 14, 90] as const;
type FigureDays = (typeof figureDays)[number];

/** The performance of the desk in four numbers and four charts, without names of moderators. */
export function FiguresTab({ user }: { user: OwnUser }): ReactNode {
  const t = useT();
  const [days, setDays] = useState<FigureDays>(14);
  const query = useEndpointQuery(adminFigures, { user_id: user.user_id, days }, { requestOptions });
  const { data: figures, isError, isPending } = query;
  useFailureToast(query.error);
  return (
    <div className={styles.page} aria-busy={isPending}>
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
        {isError && (
          <EmptyNotice text={t("desk.failed")} action={{ text: t("desk.again"), run: () => void query.refetch() }} />
        )}
        {isPending && <Skeleton height="480px" />}
        {figures && (
          <>
            <FigureNumbers figures={figures} days={days} />
            <RandomCheck userId={user.user_id} figures={figures.audit} onAnswer={() => void query.refetch()} />
            <div className={styles.charts}>
              <WaitingChart figures={figures} days={days} />
              <ReviewTimeChart figures={figures} />
              <RulesChart figures={figures} />
              <OverturnedChart figures={figures} />
            </div>
          </>
        )}
        {user.role >= roles.administrator && <TextRules userId={user.user_id} />}
      </div>
    </div>
  );
}

/** Four numbers, each with the number of cases behind it. */
function FigureNumbers({ figures, days }: { figures: FiguresData; days: FigureDays }): ReactNode {
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

/** Compared with the previous period of the same length. */
function comparison(t: Translate, figures: FiguresData, days: FigureDays): string {
  const { review_minutes: now, review_minutes_before: before } = figures;
  if (now === null || before === null) return t("desk.figures.noComparison");
  const difference = Math.round((now - before) * 10) / 10;
  const values = { minutes: formatNumber(Math.abs(difference)), days };
  if (difference === 0) return t("desk.figures.same", values);
  return t(difference < 0 ? "desk.figures.faster" : "desk.figures.slower", values);
}

/** The texts that all charts share. */
function useChartTexts() {
  const t = useT();
  return { tableText: t("desk.figures.table"), emptyText: t("desk.figures.nothing") };
}

/** The number of waiting cases over time. */
function WaitingChart({ figures, days }: { figures: FiguresData; days: FigureDays }): ReactNode {
  const t = useT();
  const points = figures.waiting_over_time.map(({ at, waiting }) => ({ at, value: waiting }));
  const values = points.map(({ value }) => value);
  const summary = t("desk.figures.waitingAlt", {
    least: formatNumber(Math.min(...values)),
    most: formatNumber(Math.max(...values)),
    now: formatNumber(values.at(-1) ?? 0),
  });
  return (
    <LineChart
      {...useChartTexts()}
      title={t(`desk.figures.waitingOver.${days}`)}
      lead={t("desk.figures.allQueues")}
      columns={[t("desk.figures.when"), t("desk.figures.waiting")]}
      points={points}
      summary={summary}
      timeText={days === 1 ? (at) => formatAs("time", at) : formatShortDate}
      valueText={formatNumber}
      lastText={t("desk.figures.now")}
    />
  );
}

const promisedMinutes = caseReviewGoalMs / 60_000;

/** The median review time, one bar per day: bars beyond the promise are dark, today is green. */
function ReviewTimeChart({ figures }: { figures: FiguresData }): ReactNode {
  const t = useT();
  const points = figures.review_over_time.map(({ at, minutes: value }) => ({ at, value }));
  const text = (value: number | null) => (value === null ? "–" : t("desk.figures.min", { minutes: minutes(value) }));
  const [from, to] = [text(points[0]?.value ?? null), text(points.at(-1)?.value ?? null)];
  return (
    <BarChart
      {...useChartTexts()}
      title={t("desk.figures.reviewOver")}
      lead={t("desk.figures.reviewLead", { minutes: promisedMinutes })}
      columns={[t("desk.figures.when"), t("desk.figures.review")]}
      points={points}
      goal={promisedMinutes}
      summary={t("desk.figures.reviewAlt", { days: points.length, from, to })}
      timeText={formatShortDate}
      valueText={text}
      lastText={t("desk.figures.today", { minutes: to })}
    />
  );
}

/** Below `rightFrom` a rule is wrong too often; above `overturnedUpTo` a reason is overturned too often. */
const rightFrom = 0.75;
const overturnedUpTo = 0.05;

/** How often the findings of each rule were right, by the moderators' decisions. */
function RulesChart({ figures }: { figures: FiguresData }): ReactNode {
  const t = useT();
  return (
    <ShareChart
      {...useChartTexts()}
      title={t("desk.figures.rules")}
      lead={t("desk.figures.rulesLead")}
      columns={[t("desk.figures.rule"), t("desk.figures.share"), t("desk.figures.counted")]}
      rows={figures.rules.map(({ rule, ...row }) => counted(t, t(`desk.rule.${rule}`), row))}
      shareText={share}
      end={1}
      misses={(one) => one < rightFrom}
    />
  );
}

/** How many bans of each reason were lifted on appeal. */
function OverturnedChart({ figures }: { figures: FiguresData }): ReactNode {
  const t = useT();
  const rows = figures.overturned_by_reason;
  return (
    <ShareChart
      {...useChartTexts()}
      title={t("desk.figures.byReason")}
      lead={t("desk.figures.byReasonLead")}
      columns={[t("desk.reason"), t("desk.figures.share"), t("desk.figures.counted")]}
      rows={rows.map(({ reason_id, ...row }) => counted(t, t(`ban.reason.${reason_id}`), row))}
      shareText={share}
      end={Math.max(overturnedUpTo * 2, ...rows.map((row) => row.share ?? 0))}
      misses={(one) => one > overturnedUpTo}
      foot={t("desk.figures.byReasonFoot", { share: formatShare(overturnedUpTo) })}
    />
  );
}

/** A share with its label and the number of cases behind it. */
function counted(t: Translate, name: string, row: { share: number | null; of: number }) {
  return { name, share: row.share, count: formatNumber(row.of), of: t("desk.figures.of", { count: row.of }) };
}
