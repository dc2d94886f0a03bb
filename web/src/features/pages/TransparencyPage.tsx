import { type ReactNode, useEffect, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { transparency } from "@fava/wire/endpoints/appeals.ts";
import { publishedCountMin } from "@fava/wire/limits.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatDate } from "#lib/format-date.ts";
import { formatPercent } from "#lib/format-units.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Table } from "#ui/Table.tsx";
import { PageFrame } from "./PageFrame.tsx";
import { usePageHead } from "./use-page-head.ts";
import styles from "./TransparencyPage.module.css";

type Report = OutputOf<typeof transparency>;

/** `/transparency`: what was reported, decided and overturned in 90 days, in anonymous numbers. */
export function TransparencyPage(): ReactNode {
  const t = useT();
  usePageHead("/transparency");
  const { report, retry } = useReport();
  return (
    <PageFrame>
      <main className={styles.main} aria-busy={report === null}>
        <h1>{t("transparency.title")}</h1>
        <p className={styles.lead}>{t("transparency.lead")}</p>
        {report === null && (
          <div className={styles.waiting}>
            <Skeleton height="320px" />
          </div>
        )}
        {report === "failed" && (
          <p role="alert">
            {t("appeal.loadFailed")}{" "}
            <Button kind="outline" size="small" onClick={retry}>
              {t("common.retry")}
            </Button>
          </p>
        )}
        {report !== null && report !== "failed" && <Numbers report={report} />}
        {report !== null && report !== "failed" && <Missed report={report} />}
        <h2>{t("transparency.softwareTitle")}</h2>
        <p>{t("transparency.softwareCan")}</p>
        <p>{t("transparency.softwareCannot")}</p>
      </main>
    </PageFrame>
  );
}

function Numbers({ report }: { report: Report }): ReactNode {
  const t = useT();
  const { bans, pictures, appeals } = report;
  return (
    <>
      <p className={styles.span}>
        {t("transparency.span", { from: formatDate(report.from), to: formatDate(report.to) })}
      </p>
      <Table className={styles.table}>
        <caption>{t("transparency.reports")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("ban.reason")}</th>
            <th scope="col">{t("transparency.received")}</th>
            <th scope="col">{t("transparency.acted")}</th>
          </tr>
        </thead>
        <tbody>
          {report.reports.map(({ reason_id, reports, acted_on }) => (
            <tr key={reason_id}>
              <th scope="row">{t(`reason.report.${reason_id}`)}</th>
              <td>{formatNumber(reports)}</td>
              <td>{formatNumber(acted_on)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Rows
        caption={t("transparency.bans")}
        rows={[
          [t("transparency.bySoftware"), bans.software],
          [t("transparency.byPeople"), bans.person],
          [t("transparency.forGood"), bans.for_good],
        ]}
      />
      <Rows
        caption={t("transparency.pictures")}
        rows={[
          [t("transparency.approved"), pictures.approved],
          [t("transparency.rejected"), pictures.rejected],
        ]}
      />
      <Rows
        caption={t("transparency.appeals")}
        rows={[
          [t("transparency.received"), appeals.received],
          [t("transparency.upheld"), appeals.upheld],
          [t("transparency.shortened"), appeals.shortened],
          [t("transparency.lifted"), appeals.lifted],
        ]}
      />
      <Notices notices={report.notices} />
      <Table className={styles.table}>
        <caption>{t("authority.title")}</caption>
        <tbody>
          {report.authorities.map(({ kind, requests }) => (
            <tr key={kind}>
              <th scope="row">{t(`authority.kind.${kind}`)}</th>
              <td>{requests === null ? isolate(`<${formatNumber(publishedCountMin)}`) : formatNumber(requests)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p>
        {report.review_minutes === null
          ? t("transparency.noReview")
          : t("transparency.review", { minutes: formatNumber(Math.round(report.review_minutes)) })}{" "}
        {report.appeal_hours !== null &&
          t("transparency.appealHours", { hours: formatNumber(Math.round(report.appeal_hours)) })}
      </p>
    </>
  );
}

/** What software misses, by the audit of random frames and by two families of models; empty without either. */
function Missed({ report: { audit, recall } }: { report: Report }): ReactNode {
  const t = useT();
  if (audit.looked === 0 && recall.share === null) return null;
  const counts = { looked: formatNumber(audit.looked), explicit: formatNumber(audit.explicit) };
  return (
    <>
      <h2>{t("transparency.missedTitle")}</h2>
      {audit.looked > 0 && (
        <p>
          {t("transparency.checked", counts)}{" "}
          {audit.share_max === null
            ? t("transparency.checkedFew")
            : t("transparency.checkedMost", { share: formatPercent(audit.share_max * 100, 2) })}
        </p>
      )}
      {recall.share !== null && (
        <p>{t("transparency.recall", { share: formatPercent(recall.share * 100), count: formatNumber(recall.of) })}</p>
      )}
    </>
  );
}

/** Notices by kind, with the median time to their decision. */
function Notices({ notices }: { notices: Report["notices"] }): ReactNode {
  const t = useT();
  return (
    <Table className={styles.table}>
      <caption>{t("transparency.notices")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("notice.kindTitle")}</th>
          <th scope="col">{t("transparency.received")}</th>
          <th scope="col">{t("transparency.noticesUpheld")}</th>
          <th scope="col">{t("transparency.noticeHours")}</th>
        </tr>
      </thead>
      <tbody>
        {notices.map(({ kind, received, upheld, hours }) => (
          <tr key={kind}>
            <th scope="row">{t(`notice.kind.${kind}`)}</th>
            <td>{formatNumber(received)}</td>
            <td>{formatNumber(upheld)}</td>
            <td>{hours === null ? "–" : formatNumber(Math.round(hours))}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Rows({ caption, rows }: { caption: string; rows: readonly (readonly [string, number])[] }): ReactNode {
  return (
    <Table className={styles.table}>
      <caption>{caption}</caption>
      <tbody>
        {rows.map(([name, count]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{formatNumber(count)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function useReport(): { report: Report | "failed" | null; retry: () => void } {
  const [report, setReport] = useState<Report | "failed" | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const owner = new AbortController();
    const load = async () => {
      try {
        setReport(await request(transparency, {}, { token: "", quiet: true, signal: owner.signal }));
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error;
        if (error.reason !== "aborted") setReport("failed");
      }
    };
    void load();
    return () => owner.abort();
  }, [tries]);
  return {
    report,
    retry: () => {
      setReport(null);
      setTries((count) => count + 1);
    },
  };
}
