import { Check, Hourglass, Link2, Scale, UserRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Appeal } from "@fava/wire/moderation.ts";
import { formatBeans, isolate } from "#lib/format.ts";
import { formatTime } from "#lib/format-date.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { showToast } from "#ui/toast-store.ts";
import styles from "./Appeal.module.css";

/** What became of an appeal: received, read by somebody new, and its outcome (rule APPEAL-53). */
export function AppealProgress({ appeal }: { appeal: Appeal }): ReactNode {
  const t = useT();
  const isDecided = appeal.state !== "received";
  const [openedAt] = useState(() => Date.now());
  const isLate = !isDecided && appeal.answer_by < openedAt;
  return (
    <>
      <h1>{t("appeal.yours")}</h1>
      <p className={styles.lead}>{t("appeal.yoursLead", { id: isolate(`A-${appeal.id}`) })}</p>
      <Button
        kind="outline"
        size="small"
        icon={<Link2 size={16} aria-hidden="true" />}
        onClick={() => void copyLink(t)}
      >
        {t("appeal.copyLink")}
      </Button>
      <ol className={styles.steps}>
        <Step icon={<Check size={18} />} title={t("appeal.received")} text={formatTime(appeal.at)} stage="done" />
        <Step
          icon={<UserRound size={18} />}
          title={t("appeal.reading")}
          text={t("appeal.readingText")}
          stage={isDecided ? "done" : "now"}
        />
        {isDecided ? (
          <Step
            icon={<Scale size={18} />}
            title={outcomeOf(t, appeal)}
            text={appeal.decided_at === null ? "" : formatTime(appeal.decided_at)}
            stage="now"
          />
        ) : (
          <Step
            icon={<Hourglass size={18} />}
            title={t("appeal.answerBy", { time: formatTime(appeal.answer_by) })}
            text={isLate ? t("appeal.late") : ""}
            stage="next"
          />
        )}
      </ol>
      {isDecided && (
        <section className={styles.words}>
          <h2>{t("appeal.answer")}</h2>
          <p dir="auto" className={styles.own}>
            {appeal.answer}
          </p>
        </section>
      )}
      {appeal.state === "lifted" && <Back text={returned(t, appeal)} />}
      <section className={styles.words}>
        <h2>{t("appeal.wrote")}</h2>
        <p>
          <b>{t(`appeal.ground.${appeal.ground}`)}</b>
        </p>
        <p dir="auto" className={styles.own}>
          {appeal.text}
        </p>
      </section>
      {!isDecided && <Back text={t("appeal.ifWrong")} />}
    </>
  );
}

/** What comes back, or came back, with a lifted ban. */
function Back({ text }: { text: string }): ReactNode {
  return (
    <p className={styles.back}>
      <Bean size={20} />
      <span>{text}</span>
    </p>
  );
}

function returned(t: Translate, { beans_returned }: Appeal): string {
  return beans_returned > 0
    ? t("appeal.liftedBeans", { beans: formatBeans(beans_returned) })
    : t("appeal.liftedStrike");
}

function Step(props: { icon: ReactNode; title: string; text: string; stage: "done" | "now" | "next" }): ReactNode {
  return (
    <li data-stage={props.stage} aria-current={props.stage === "now" ? "step" : undefined}>
      <i aria-hidden="true">{props.icon}</i>
      <div>
        <b>{props.title}</b>
        {props.text !== "" && <small>{props.text}</small>}
      </div>
    </li>
  );
}

function outcomeOf(t: Translate, { state, until }: Appeal): string {
  if (state === "lifted") return t("appeal.lifted");
  if (state === "shortened" && until !== null) return t("appeal.shortened", { time: formatTime(until) });
  return t("appeal.upheld");
}

async function copyLink(t: Translate): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    showToast({ type: "success", text: t("appeal.copied") });
  } catch {
    // Refused by the browser: the specification's word for it.
    showToast({ type: "error", text: t("common.copyFailed") });
  }
}
