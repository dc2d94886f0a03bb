import { type ReactNode } from "react";
import { formatAs, formatShortDate } from "#lib/format-date.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { TableScroll } from "#ui/Table.tsx";
import { type Job, useJobs } from "./admin-data.ts";
import styles from "./Admin.module.css";

/** The periodic jobs of all servers, with their runs and failures. */
export function Jobs(): ReactNode {
  const t = useT();
  const jobs = useJobs();
  if (!jobs) return null;
  return (
    <section className={styles.jobs}>
      <h2>{t("admin.jobs.title")}</h2>
      <TableScroll>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("admin.jobs.job")}</th>
              <th scope="col">{t("admin.jobs.last")}</th>
              <th scope="col">{t("admin.jobs.next")}</th>
              <th scope="col" data-number>
                {t("admin.jobs.failures")}
              </th>
            </tr>
          </thead>
          <tbody>
            {jobs.map((job) => (
              <tr key={job.name}>
                <th scope="row">
                  <bdi dir="ltr" lang="en" translate="no">
                    {job.name}
                  </bdi>
                  {job.held !== null && job.held > 0 && <small>{t("admin.jobs.held", { count: job.held })}</small>}
                </th>
                <td>{job.ran_at === null ? t("admin.jobs.never") : momentOf(job.ran_at)}</td>
                <td>{job.is_running ? t("admin.jobs.running") : job.next_at !== null && momentOf(job.next_at)}</td>
                <td data-number>
                  <Failures job={job} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

function Failures({ job }: { job: Job }): ReactNode {
  const { failures, last_failed_at } = job;
  return (
    <>
      {formatNumber(failures)}
      {last_failed_at !== null && <small>{momentOf(last_failed_at)}</small>}
    </>
  );
}

/** Day and time, short enough for four columns on a phone, in the reader's time zone. */
function momentOf(atMs: number): string {
  return `${formatShortDate(atMs)} ${formatAs("hour", atMs)}`;
}
