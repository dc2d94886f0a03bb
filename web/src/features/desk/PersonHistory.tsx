import { Flag as FlagIcon, History } from "lucide-react";
import type { ReactNode } from "react";
import type { CaseDetail, DeskPerson } from "@fava/wire/moderation.ts";
import { formatShortDate, formatTime } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { formatShare } from "./desk-format.ts";
import { eventDetail, eventText } from "./event-texts.ts";
import styles from "./PersonPanel.module.css";

/** What people and software did about the person before, the newest first. */
export function PersonEarlier({ person }: { person: DeskPerson }): ReactNode {
  const t = useT();
  return (
    <section className={styles.section}>
      <h3>
        <History size={16} aria-hidden="true" />
        {t("desk.earlier")}
      </h3>
      {person.earlier.length === 0 && <p className={styles.hint}>{t("desk.earlier.none")}</p>}
      <ol className={styles.past}>
        {person.earlier.map((event, index) => (
          <li key={`${event.at} ${index}`}>
            <time title={formatTime(event.at)}>{formatShortDate(event.at)}</time>
            <div>
              <b>{eventText(t, event.kind)}</b>
              <small>{eventDetail(t, event)}</small>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** How often those who reported were right; never who they are. */
export function PersonReporters({ reports }: { reports: CaseDetail["reports"] }): ReactNode {
  const t = useT();
  if (reports.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3>
        <FlagIcon size={16} aria-hidden="true" />
        {t("desk.reporters")}
        <span>{reports.length}</span>
      </h3>
      <ul className={styles.reporters}>
        {reports.map(({ at, reason_id, reliability }, index) => (
          <li key={`${at} ${index}`}>
            {t(`reason.report.${reason_id}`)}
            <small>
              {formatTime(at)} ·{" "}
              {reliability === null
                ? t("desk.reporters.unknown")
                : t("desk.reporters.right", { share: formatShare(reliability) })}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
