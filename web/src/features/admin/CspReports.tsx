import type { ReactNode } from "react";
import { formatShortDate } from "#lib/format-date.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { TableScroll } from "#ui/Table.tsx";
import { useCspReports } from "./admin-data.ts";
import styles from "./Admin.module.css";

/** What browsers refused to load or run on pages of this site, most frequent first. */
export function CspReports(): ReactNode {
  const t = useT();
  const rows = useCspReports();
  if (!rows) return null;
  return (
    <section className={styles.jobs}>
      <h2>{t("admin.csp.title")}</h2>
      <p>{t("admin.csp.lead")}</p>
      {rows.length === 0 ? (
        <p className={styles.none}>{t("admin.csp.none")}</p>
      ) : (
        <TableScroll>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("admin.csp.blocked")}</th>
                <th scope="col">{t("admin.csp.rule")}</th>
                <th scope="col">{t("admin.csp.page")}</th>
                <th scope="col" data-number>
                  {t("admin.csp.reports")}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ blocked, directive, path, count, last_on }) => (
                <tr key={`${blocked} ${directive} ${path}`}>
                  {[blocked, directive, path].map((text, index) => (
                    <td key={index}>
                      <bdi dir="ltr" translate="no">
                        {text}
                      </bdi>
                    </td>
                  ))}
                  <td data-number>
                    {formatNumber(count)}
                    <small data-plain>{formatShortDate(Date.parse(last_on))}</small>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </section>
  );
}
