import { Gavel, Scale, Send } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { appealAnswerLengthMax, strikesMax } from "@fava/wire/limits.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatBeans, isolate } from "#lib/format.ts";
import { currentLanguage, type Translate, useT } from "#lib/i18n.ts";
import { languageName } from "#lib/intl.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { AppealHead, ClosedNote, Fact } from "./AppealHead.tsx";
import { MomentFrames, Moments, useMoments } from "./Evidence.tsx";
import { ChatLines } from "./Transcript.tsx";
import {
  appealClosed,
  type AppealDetail,
  type AppealEvent,
  type AppealsState,
  type AppealVerdict,
  shortenedHours,
} from "./appeal-machine.ts";
import { answerDay } from "./desk-format.ts";
import { useDeskKeys } from "./use-desk-keys.ts";
import styles from "./AppealPage.module.css";
import partStyles from "./CardParts.module.css";

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

type Outcome = "upheld" | "shortened" | "lifted";
type Hours = (typeof shortenedHours)[number];

const outcomes: readonly Outcome[] = ["upheld", "shortened", "lifted"];

/** The outcome is chosen first, then the answer is written and sent; the button says what happens. */
function AppealAnswer(props: {
  name: string;
  cutBeans: number;
  disabled: boolean;
  onDecide: (verdict: AppealVerdict) => void;
}): ReactNode {
  const t = useT();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [hours, setHours] = useState<Hours>(24);
  const [answer, setAnswer] = useState("");
  const ready = !props.disabled && outcome !== null && answer.trim() !== "";

  const choose = (chosen: Outcome) => {
    if (props.disabled) return;
    setOutcome(chosen);
    // The field is enabled with this choice, and can take the focus only then.
    requestAnimationFrame(() => field.current?.focus());
  };
  const send = () => {
    if (!ready) return;
    const words = answer.trim();
    props.onDecide(
      outcome === "shortened"
        ? { kind: "appeal", outcome, hours, answer: words }
        : { kind: "appeal", outcome, answer: words },
    );
  };
  useDeskKeys((key) => {
    const chosen = outcomes[Number(key) - 1];
    if (chosen === undefined) return false;
    choose(chosen);
    return true;
  });
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
  };

  return (
    <div className={styles.answer}>
      <div className={styles.outcomes} role="group" aria-label={t("desk.appeal.outcome")}>
        {outcomes.map((one, index) => (
          <Button
            key={one}
            size="small"
            disabled={props.disabled}
            aria-pressed={outcome === one}
            aria-keyshortcuts={String(index + 1)}
            onClick={() => choose(one)}
          >
            {t(`desk.appeal.${one}`)}
            <Kbd>{index + 1}</Kbd>
          </Button>
        ))}
      </div>
      {outcome === "shortened" && (
        <Segmented
          legend={t("desk.appeal.until")}
          value={String(hours)}
          options={shortenedHours.map((one) => ({ value: String(one), label: t(`desk.shortened.${one}`) }))}
          onChange={(value) => setHours(shortenedHours.find((one) => String(one) === value) ?? hours)}
        />
      )}
      <label htmlFor={id}>
        {t("desk.appeal.answer")} <span>{t("desk.appeal.reads", { name: isolate(props.name) })}</span>
      </label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        dir="auto"
        disabled={props.disabled || outcome === null}
        placeholder={outcome === null ? t("desk.appeal.chooseFirst") : undefined}
        maxLength={appealAnswerLengthMax}
        value={answer}
        onChange={(event) => setAnswer(event.target.value)}
        onKeyDown={pressed}
      />
      <footer className={styles.actions}>
        <Button
          kind="ink"
          size="small"
          disabled={!ready}
          icon={<Send size={18} className="flip" aria-hidden="true" />}
          aria-keyshortcuts="Control+Enter"
          onClick={send}
        >
          {buttonText(t, outcome, props.cutBeans)}
          <Kbd>Ctrl ↵</Kbd>
        </Button>
      </footer>
    </div>
  );
}

function buttonText(t: Translate, outcome: Outcome | null, cutBeans: number): string {
  if (outcome === null) return t("desk.appeal.send");
  if (outcome === "lifted" && cutBeans > 0) return t("desk.appeal.liftBeans", { beans: formatBeans(cutBeans) });
  return t(`desk.appeal.do.${outcome}`);
}

const linesShown = 4;

/** The decision that is appealed, and the person's own words beside it. */
function AppealCards({ detail }: { detail: AppealDetail }): ReactNode {
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
