import { Flag } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminTextRules } from "@fava/wire/endpoints/texts.ts";
import { formatNumber } from "#lib/format.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { languageName } from "#lib/intl.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Table } from "#ui/Table.tsx";
import { formatShare } from "./desk-format.ts";
import { requestOptions, useFailureToast } from "./desk-query.ts";
import { EmptyNotice } from "./parts.tsx";
import styles from "./TextRules.module.css";

type Rule = OutputOf<typeof adminTextRules>["rows"][number];

/** How often each text rule matched, and how often writers disputed it; for administrators. */
export function TextRules({ userId }: { userId: number }): ReactNode {
  const t = useT();
  const id = useId();
  const query = useEndpointQuery(adminTextRules, { user_id: userId }, { requestOptions });
  const { data, isError, isPending } = query;
  useFailureToast(query.error);
  return (
    <section className={styles.rules} aria-labelledby={id} aria-busy={isPending}>
      <header>
        <h3 id={id}>{t("disputed.title")}</h3>
        <p>{t("disputed.lead")}</p>
      </header>
      {isError && (
        <EmptyNotice text={t("desk.failed")} action={{ text: t("desk.again"), run: () => void query.refetch() }} />
      )}
      {isPending && <Skeleton height="240px" />}
      {data && (data.rows.length === 0 ? <p>{t("disputed.none")}</p> : <RuleTable rules={data.rows} />)}
    </section>
  );
}

function RuleTable({ rules }: { rules: readonly Rule[] }): ReactNode {
  const t = useT();
  return (
    <Table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t("desk.figures.rule")}</th>
          <th scope="col" className={styles.number}>
            {t("disputed.writers")}
          </th>
          <th scope="col" className={styles.number}>
            {t("disputed.disputed")}
          </th>
          <th scope="col" className={styles.number}>
            {t("desk.figures.share")}
          </th>
          <th scope="col">{t("disputed.kind")}</th>
          <th scope="col">{t("disputed.language")}</th>
          <th scope="col">{t("disputed.phrase")}</th>
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <RuleRow key={`${rule.rule} ${rule.kind}`} rule={rule} />
        ))}
      </tbody>
    </Table>
  );
}

function RuleRow({ rule }: { rule: Rule }): ReactNode {
  const t = useT();
  const language = useLanguage();
  return (
    <tr>
      <th scope="row">
        <bdi dir="ltr">{rule.rule}</bdi>
        {rule.is_marked && (
          <span className={styles.mark}>
            <Flag aria-hidden size={14} />
            {t("disputed.marked")}
          </span>
        )}
      </th>
      <td className={styles.number}>{formatNumber(rule.writers)}</td>
      <td className={styles.number}>{formatNumber(rule.disputed)}</td>
      <td className={styles.number}>{formatShare(rule.disputed / rule.writers)}</td>
      <td>{t(`disputed.kinds.${rule.kind}`)}</td>
      <td>{rule.language === null ? "–" : languageName(language, rule.language)}</td>
      <td className={styles.phrase}>{rule.phrase === null ? "–" : <bdi>{rule.phrase}</bdi>}</td>
    </tr>
  );
}
