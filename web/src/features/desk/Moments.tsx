import type { ReactNode } from "react";
import type { CaseDetail } from "@fava/wire/moderation.ts";
import { formatShortDate } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { Picture } from "./Evidence.tsx";
import { formatScore, formatSecond, formatShare } from "./desk-format.ts";
import type { Looks } from "./use-looks.ts";
import styles from "./Moments.module.css";

/** The moments of the call to choose from, and what software found in the chosen one. */
export function Moments(props: {
  detail: CaseDetail;
  at: number;
  looks: Looks;
  onChoose: (at: number) => void;
}): ReactNode {
  const t = useT();
  const { detail, looks } = props;
  return (
    <div className={styles.strip}>
      <div className={styles.moments} role="group" aria-label={t("desk.moments")}>
        {detail.moments.map(({ at, own, received }, index) => {
          const look = looks.of(own ?? received);
          return (
            <button key={at} type="button" aria-pressed={index === props.at} onClick={() => props.onChoose(index)}>
              <span className={styles.thumb}>
                <Picture {...(look?.phase === "shown" && { url: look.url })} name="" />
              </span>
              {formatSecond(at)}
            </button>
          );
        })}
      </div>
      <Checks detail={detail} at={props.at} />
    </div>
  );
}

/** What software found in the chosen moment, and until when the evidence is kept. */
export function Checks({ detail, at }: { detail: CaseDetail; at: number }): ReactNode {
  const t = useT();
  const moment = detail.moments[at];
  const explicit = moment?.explicit ?? detail.check?.explicit ?? null;
  return (
    <dl className={styles.checks}>
      <div>
        <dt>{t("desk.check")}</dt>
        <dd>
          {explicit === null ? t("desk.check.none") : t(foundKey(explicit), { score: formatScore(explicit) })}
          {detail.check?.shadow && <small>{t("desk.check.shadow")}</small>}
        </dd>
      </div>
      {moment && (
        <div>
          <dt>{t("desk.agreement")}</dt>
          <dd>{moment.agreement === null ? t("desk.agreement.none") : formatShare(moment.agreement)}</dd>
        </div>
      )}
      {detail.erase_at !== null && (
        <div>
          <dt>{t("desk.keptUntil")}</dt>
          <dd>{t("desk.thenErased", { day: formatShortDate(detail.erase_at) })}</dd>
        </div>
      )}
    </dl>
  );
}

/** Above this the models are sure, below the other they found nothing (research: thresholds of the picture check). */
const sureFrom = 0.8;
const foundFrom = 0.6;

function foundKey(explicit: number) {
  if (explicit >= sureFrom) return "desk.check.sure";
  return explicit >= foundFrom ? "desk.check.unsure" : "desk.check.clean";
}
