import { Gavel, Scale } from "lucide-react";
import { type ReactNode, useState } from "react";
import { strikesMax } from "@fava/wire/limits.ts";
import { formatBeans, isolate } from "#lib/format.ts";
import { formatTime } from "#lib/format-date.ts";
import { currentLanguage, useT } from "#lib/i18n.ts";
import { languageName } from "#lib/intl.ts";
import { Bean } from "#ui/Bean.tsx";
import { Fact } from "./AppealHead.tsx";
import type { AppealDetail } from "./appeal-machine.ts";
import { ChatLines } from "./Transcript.tsx";
import partStyles from "./CardParts.module.css";
import styles from "./AppealPage.module.css";

const linesShown = 4;

/** The decision that is appealed, and the person's own words beside it. */
export function AppealCards({ detail }: { detail: AppealDetail }): ReactNode {
  const t = useT();
  const { appeal, person } = detail;
  return (
    <div className={styles.two}>
      <Decision detail={detail} />
      <section className={styles.card}>
        <h3 className={partStyles.title}>
          <Scale size={17} aria-hidden="true" />
          {t("desk.appeal.words", { name: isolate(person.nickname) })}
          <span>{languageName(currentLanguage(), detail.language)}</span>
        </h3>
        <p className={styles.ground}>{t(`appeal.ground.${appeal.ground}`)}</p>
        <p className={styles.quote} dir="auto">
          {appeal.text}
        </p>
      </section>
    </div>
  );
}

function Decision({ detail }: { detail: AppealDetail }): ReactNode {
  const t = useT();
  const { ban, cut_beans: cutBeans, person } = detail;
  const [whole, setWhole] = useState(false);
  const lines = detail.case?.lines ?? [];
  return (
    <section className={styles.card}>
      <h3 className={partStyles.title}>
        <Gavel size={17} aria-hidden="true" />
        {t("desk.appeal.decision")}
      </h3>
      <dl className={styles.facts}>
        <Fact label={t("desk.appeal.banned")}>
          {ban.until === null ? t("desk.hours.0") : t("desk.forbid.until", { until: formatTime(ban.until) })}
        </Fact>
        <Fact label={t("desk.reason")}>{t(`ban.reason.${ban.reason_id}`)}</Fact>
        <Fact label={t("desk.strike")}>
          {ban.strike === 0 ? t("desk.strikes.none") : t("desk.strikes.of", { count: ban.strike, max: strikesMax })}
        </Fact>
        <Fact label={t("desk.appeal.cutBeans")}>
          <Bean size={15} /> {formatBeans(cutBeans)}
        </Fact>
        {ban.rule !== null && <Fact label={t("desk.appeal.rule")}>{t(`desk.rule.${ban.rule}`)}</Fact>}
      </dl>
      {lines.length > 0 && (
        <div className={styles.lines}>
          <ChatLines lines={whole ? lines : lines.slice(-linesShown)} name={person.nickname} />
          {lines.length > linesShown && (
            <button type="button" className={partStyles.more} aria-expanded={whole} onClick={() => setWhole(!whole)}>
              {whole ? t("desk.chat.less") : t("desk.chat.all", { count: lines.length })}
            </button>
          )}
        </div>
      )}
    </section>
  );
}
