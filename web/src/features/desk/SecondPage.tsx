import { Gavel, UserRoundCheck } from "lucide-react";
import type { ReactNode } from "react";
import { strikesMax } from "@fava/wire/limits.ts";
import { type CaseDetail, operations } from "@fava/wire/moderation.ts";
import { banReasonKey } from "@fava/wire/reasons.ts";
import { formatSpan, isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useNow } from "#lib/use-now.ts";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { AppealHead, ClosedNote, Fact } from "./AppealHead.tsx";
import { MomentFrames, Moments, useMoments } from "./Evidence.tsx";
import { Transcript } from "./Transcript.tsx";
import { appealClosed, type AppealEvent, type AppealsState } from "./appeal-machine.ts";
import { formatScore, formatShare, timeLeft } from "./desk-format.ts";
import { useDeskKeys } from "./use-desk-keys.ts";
import partStyles from "./CardParts.module.css";
import styles from "./AppealPage.module.css";

const choices = [
  { key: "1", operation: 1, text: "desk.second.lift" },
  { key: "2", operation: 2, text: "desk.second.shorten" },
  { key: "3", operation: 4, text: "desk.second.agree" },
] as const satisfies readonly { key: string; operation: number; text: Key }[];

/** A ban for good that waits for a second person: the evidence first, then what the first one wrote. */
export function SecondPage(props: {
  state: AppealsState;
  detail: CaseDetail;
  dispatch: (event: AppealEvent) => void;
  userId: number;
}): ReactNode {
  const t = useT();
  const nowMs = useNow(60_000);
  const { detail, dispatch } = props;
  const { first, person } = detail;
  const name = isolate(person.nickname);
  const moments = useMoments(detail.moments, props.userId);
  const closed = appealClosed(props.state);
  const decide = (operation: 1 | 2 | 4) => dispatch({ type: "decide", verdict: { kind: "second", operation } });
  useDeskKeys((key) => {
    const choice = choices.find((one) => one.key === key);
    if (choice && closed === null) decide(choice.operation);
    else if (!moments.press(key)) return false;
    return true;
  });
  const facts = first
    ? [
        t("desk.decidedFirst", { name: isolate(first.by) }),
        t("desk.ago", { time: formatSpan((nowMs - first.at) / 1_000) }),
      ]
    : [];
  return (
    <div className={styles.page}>
      <AppealHead
        person={person}
        title={t("desk.second.title", { name })}
        facts={facts}
        due={first ? t("desk.second.lapses", { time: timeLeft(first.lapses_at, nowMs) }) : ""}
        onClose={() => dispatch({ type: "close" })}
      />
      {moments.moment && (
        <>
          <MomentFrames
            moment={moments.moment}
            name={person.nickname}
            looks={moments.looks}
            className={styles.frames ?? ""}
          />
          <Moments detail={detail} at={moments.at} looks={moments.looks} onChoose={moments.choose} />
        </>
      )}
      <Transcript detail={detail} name={person.nickname} whole onWhole={() => undefined} />
      {first && <FirstDecision detail={detail} first={first} />}
      <p className={styles.note}>
        <UserRoundCheck size={20} aria-hidden="true" />
        {t("desk.second.note", { name })}
      </p>
      <ClosedNote closed={closed} by={props.state.open?.row.claim?.name ?? ""} />
      <footer className={styles.actions} role="group" aria-label={t("desk.decide")}>
        {choices.map(({ key, operation, text }) => (
          <Button
            key={key}
            size="small"
            disabled={closed !== null}
            className={operation === operations.forbid ? styles.danger : undefined}
            aria-keyshortcuts={key}
            onClick={() => decide(operation)}
          >
            {t(text)}
            <Kbd>{key}</Kbd>
          </Button>
        ))}
      </footer>
    </div>
  );
}

function FirstDecision({ detail, first }: { detail: CaseDetail; first: NonNullable<CaseDetail["first"]> }): ReactNode {
  const t = useT();
  const scores = detail.moments.flatMap(({ explicit }) => (explicit === null ? [] : [formatScore(explicit)]));
  const agreements = detail.moments.flatMap(({ agreement }) => agreement ?? []);
  return (
    <section className={styles.card}>
      <h3 className={partStyles.title}>
        <Gavel size={17} aria-hidden="true" />
        {t("desk.second.what", { name: isolate(first.by) })}
      </h3>
      {first.note !== "" && (
        <p className={styles.quote} dir="auto">
          {first.note}
        </p>
      )}
      <dl className={styles.facts} data-wide>
        <Fact label={t("desk.reason")}>{t(banReasonKey(first.reason_id))}</Fact>
        <Fact label={t("desk.strikes")}>
          {t("desk.strikes.of", { count: detail.subject.strikes.length, max: strikesMax })}
        </Fact>
        {scores.length > 0 && <Fact label={t("desk.check")}>{scores.join(" · ")}</Fact>}
        {agreements.length > 0 && <Fact label={t("desk.agreement")}>{formatShare(Math.min(...agreements))}</Fact>}
      </dl>
    </section>
  );
}
