import type { ReactNode } from "react";
import { sawText, statementFormat } from "#lib/ban-statement.ts";
import { isolate } from "#lib/format.ts";
import { formatTime } from "#lib/format-date.ts";
import { currentLanguage, useT } from "#lib/i18n.ts";
import type { AppealStatus } from "./load-appeal.ts";
import styles from "./Appeal.module.css";

/** The decision that the appeal is about. */
export function DecisionFacts({ status }: { status: AppealStatus }): ReactNode {
  const t = useT();
  const { ban, user_no } = status;
  return (
    <aside className={styles.decision} aria-labelledby="decision">
      <h2 id="decision">{t("appeal.decision")}</h2>
      <dl>
        <dt>{t("ban.account")}</dt>
        <dd>{isolate(user_no)}</dd>
        <dt>{t("ban.reason")}</dt>
        <dd>{t(`ban.reason.${ban.reason_id}`)}</dd>
        <dt>{ban.until === null ? t("ban.forever") : t(ban.is_provisional ? "ban.forNow" : "ban.until")}</dt>
        {ban.until !== null && <dd>{formatTime(ban.until)}</dd>}
        <dt>{t("ban.by")}</dt>
        <dd>{ban.by === "software" ? t("ban.bySoftware") : t("ban.byPerson", { reports: ban.reports })}</dd>
        <dt>{t("ban.saw")}</dt>
        <dd>{sawText(t, statementFormat(currentLanguage()), ban)}</dd>
      </dl>
      {!status.in_force && (
        <p className={styles.over}>
          {t("appeal.over")} <a href="/">{t("appeal.signIn")}</a>
        </p>
      )}
    </aside>
  );
}
