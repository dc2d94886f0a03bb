import type { ReactNode } from "react";
import { isolate } from "#lib/format.ts";
import { formatTime } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { AppealAnswer } from "./AppealAnswer.tsx";
import { AppealCards } from "./AppealCards.tsx";
import { AppealHead } from "./AppealHead.tsx";
import { appealClosed, type AppealDetail, type AppealEvent, type AppealsState } from "./appeal-machine.ts";
import { ClosedNote } from "./ClosedNote.tsx";
import { answerDay } from "./desk-format.ts";
import { MomentFrames } from "./MomentFrames.tsx";
import { Moments } from "./Moments.tsx";
import { useDeskKeys } from "./use-desk-keys.ts";
import { useMoments } from "./use-moments.ts";
import styles from "./AppealPage.module.css";

/** An appeal: the decision and the person's words side by side, its evidence, the outcome and then the answer. */
export function AppealPage(props: {
  state: AppealsState;
  detail: AppealDetail;
  dispatch: (event: AppealEvent) => void;
  userId: number;
}): ReactNode {
  const t = useT();
  const { detail, dispatch } = props;
  const { appeal, person } = detail;
  const moments = useMoments(detail.case?.moments ?? [], props.userId);
  const closed = appealClosed(props.state);
  useDeskKeys((key) => moments.press(key));
  const by = detail.decided_by === null ? t("desk.software") : isolate(detail.decided_by);
  return (
    <div className={styles.page}>
      <AppealHead
        person={person}
        title={t("desk.appeal.title", { name: isolate(person.nickname) })}
        facts={[t("desk.appeal.sent", { time: formatTime(appeal.at) }), t("desk.decidedFirst", { name: by })]}
        due={t("desk.appeal.due", { day: answerDay(appeal.answer_by) })}
        onClose={() => dispatch({ type: "close" })}
      />
      <AppealCards detail={detail} />
      {detail.case && moments.moment && (
        <>
          <MomentFrames
            moment={moments.moment}
            name={person.nickname}
            looks={moments.looks}
            className={styles.frames ?? ""}
          />
          <Moments detail={detail.case} at={moments.at} looks={moments.looks} onChoose={moments.choose} />
        </>
      )}
      <ClosedNote closed={closed} by={props.state.open?.row.claim?.name ?? ""} />
      {closed !== "decided" && (
        <AppealAnswer
          name={person.nickname}
          cutBeans={detail.cut_beans}
          disabled={closed !== null}
          onDecide={(verdict) => dispatch({ type: "decide", verdict })}
        />
      )}
    </div>
  );
}
