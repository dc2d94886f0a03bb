import { CalendarClock, Gavel, Scale, Send, UserRoundCheck } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { appealAnswerLengthMax, strikesMax } from "@fava/wire/limits.ts";
import { type CaseDetail, operations } from "@fava/wire/moderation.ts";
import { banReasonKey } from "@fava/wire/reasons.ts";
import { formatAs, formatTime } from "#lib/format-date.ts";
import { formatBeans, formatSpan, isolate } from "#lib/format.ts";
import { currentLanguage, type Key, type Translate, useT } from "#lib/i18n.ts";
import { languageName } from "#lib/intl.ts";
import { useNow } from "#lib/use-now.ts";
import { useShortcuts } from "#lib/use-shortcuts.ts";
import { Bean } from "#ui/Bean.tsx";
import { TextArea } from "#ui/Field.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { classNames } from "#ui/class-names.ts";
import { MomentFrames, Moments, useMoments } from "./Evidence.tsx";
import { ChatLines, linesAtFirst, ReporterWords, Transcript } from "./Transcript.tsx";
import { Translation } from "./Translation.tsx";
import { OwnAnswers, useOwnAnswers, withInserted } from "./OwnAnswers.tsx";
import { type AppealDetail, type Appeals, shortenedHours } from "./appeals.ts";
import { formatScore, formatShare, timeLeft, useAwayText } from "./desk-format.ts";
import { FactList, ItemHead, KeyButton, SectionTitle } from "./parts.tsx";
import parts from "./Parts.module.css";
import styles from "./Appeals.module.css";

const choices = [
  { key: "1", operation: 1, text: "desk.second.lift" },
  { key: "2", operation: 2, text: "desk.second.shorten" },
  { key: "3", operation: 4, text: "desk.second.agree" },
] as const satisfies readonly { key: string; operation: number; text: Key }[];

/** A permanent ban that waits for a second moderator: the evidence first, then the first moderator's note. */
export function SecondReview(props: { appeals: Appeals; detail: CaseDetail; userId: number }): ReactNode {
  const t = useT();
  const nowMs = useNow(60_000);
  const { appeals, detail } = props;
  const { first, person } = detail;
  const name = isolate(person.nickname);
  const moments = useMoments(detail, props.userId);
  const off = appeals.closed !== null;
  const decide = (operation: 1 | 2 | 4) => appeals.decide({ kind: "second", operation });
  useShortcuts((key) => {
    const choice = choices.find((one) => one.key === key);
    if (choice && !off) decide(choice.operation);
    else if (!moments.press(key)) return false;
    return true;
  });
  const decided = first && t("desk.decidedFirst", { name: isolate(first.by) });
  const ago = first && t("desk.ago", { time: formatSpan((nowMs - first.at) / 1_000) });
  return (
    <div className={classNames(parts.scroll, styles.page)}>
      <ItemHead
        person={person}
        title={t("desk.second.title", { name })}
        facts={[isolate(person.user_no), decided, ago]}
        onClose={appeals.close}
      >
        {first && <Due text={t("desk.second.lapses", { time: timeLeft(first.lapses_at, nowMs) })} />}
      </ItemHead>
      <MomentFrames moments={moments} className={styles.frames} />
      <Moments moments={moments} />
      <ReporterWords reports={detail.reports} />
      <Transcript detail={detail} whole onWhole={() => undefined} />
      {first && <FirstDecision detail={detail} first={first} />}
      <p className={parts.note}>
        <UserRoundCheck size={20} aria-hidden="true" />
        {t("desk.second.note", { name })}
      </p>
      <ClosedNote appeals={appeals} />
      <footer className={classNames(parts.actions, styles.actions)} role="group" aria-label={t("desk.decide")}>
        {choices.map(({ key, operation, text }) => (
          <KeyButton
            key={key}
            shortcut={key}
            disabled={off}
            className={operation === operations.forbid ? parts.danger : undefined}
            onClick={() => decide(operation)}
          >
            {t(text)}
          </KeyButton>
        ))}
      </footer>
    </div>
  );
}

function Due({ text }: { text: string }): ReactNode {
  return (
    <span className={classNames(parts.pill, styles.due)}>
      <CalendarClock size={14} aria-hidden="true" />
      {text}
    </span>
  );
}

function FirstDecision({ detail, first }: { detail: CaseDetail; first: NonNullable<CaseDetail["first"]> }): ReactNode {
  const t = useT();
  const scores = detail.moments.flatMap(({ explicit }) => (explicit === null ? [] : [formatScore(explicit)]));
  const agreements = detail.moments.flatMap(({ agreement }) => agreement ?? []);
  return (
    <section className={classNames(parts.card, styles.card)}>
      <SectionTitle icon={Gavel} title={t("desk.second.what", { name: isolate(first.by) })} />
      {first.note !== "" && (
        <p className={parts.quote} dir="auto">
          {first.note}
        </p>
      )}
      <FactList
        className={classNames(styles.facts, styles.wide)}
        facts={[
          [t("desk.reason"), t(banReasonKey(first.reason_id))],
          [t("desk.strikes"), t("desk.strikes.of", { count: detail.subject.strikes.length, max: strikesMax })],
          scores.length > 0 && [t("desk.check"), scores.join(" · ")],
          agreements.length > 0 && [t("desk.agreement"), formatShare(Math.min(...agreements))],
        ]}
      />
    </section>
  );
}

type Closed = Exclude<Appeals["closed"], null | "not-open" | "claimed" | "offline">;

const closedTexts: Readonly<Record<Closed, Key>> = {
  own: "desk.closed.own",
  moderator: "desk.closed.moderator",
  decided: "desk.closed.decided",
  first_decider: "desk.closed.first",
  administrators: "desk.closed.administrators",
};

/** Why the actions are disabled; empty where they are not. */
function ClosedNote({ appeals: { closed, row } }: { appeals: Appeals }): ReactNode {
  const t = useT();
  const away = useAwayText();
  if (closed === null || closed === "not-open") return null;
  return (
    <p className={parts.closed} role="status">
      {closed === "claimed"
        ? t("desk.closed.lost", { name: isolate(row?.claim?.name ?? "") })
        : closed === "offline"
          ? away
          : t(closedTexts[closed])}
    </p>
  );
}

/** An appeal: the decision and the user's text side by side, its evidence, the outcome and then the answer. */
export function AppealReviewPage(props: { appeals: Appeals; detail: AppealDetail; userId: number }): ReactNode {
  const t = useT();
  const { appeals, detail } = props;
  const { appeal, person } = detail;
  const moments = useMoments(detail.case, props.userId);
  useShortcuts((key) => moments.press(key));
  const by = detail.decided_by === null ? t("desk.software") : isolate(detail.decided_by);
  return (
    <div className={classNames(parts.scroll, styles.page)}>
      <ItemHead
        person={person}
        title={t("desk.appeal.title", { name: isolate(person.nickname) })}
        facts={[
          isolate(person.user_no),
          t("desk.appeal.sent", { time: formatTime(appeal.at) }),
          t("desk.decidedFirst", { name: by }),
        ]}
        onClose={appeals.close}
      >
        <Due text={t("desk.appeal.due", { day: formatAs("weekdayAndDay", appeal.answer_by) })} />
      </ItemHead>
      <div className={styles.two}>
        <AppealedDecision detail={detail} />
        <section className={classNames(parts.card, styles.card)}>
          <SectionTitle icon={Scale} title={t("desk.appeal.words", { name: isolate(person.nickname) })}>
            <span>{languageName(currentLanguage(), detail.language)}</span>
          </SectionTitle>
          <p className={styles.ground}>{t(`appeal.ground.${appeal.ground}`)}</p>
          <p className={parts.quote} dir="auto">
            {appeal.text}
          </p>
          <Translation text={appeal.text} />
        </section>
      </div>
      <MomentFrames moments={moments} className={styles.frames} />
      <Moments moments={moments} />
      <ReporterWords reports={detail.case?.reports ?? []} />
      <ClosedNote appeals={appeals} />
      {appeals.closed !== "decided" && <AppealAnswer appeals={appeals} detail={detail} userId={props.userId} />}
    </div>
  );
}

const linesShown = 4;

/** The decision that the user appeals. */
function AppealedDecision({ detail }: { detail: AppealDetail }): ReactNode {
  const t = useT();
  const { ban, cut_beans: cutBeans, person } = detail;
  const [whole, setWhole] = useState(false);
  const lines = detail.case?.lines ?? [];
  const first = linesAtFirst(lines, linesShown);
  const strike = t("desk.strikes.of", { count: ban.strike, max: strikesMax });
  const beans = (
    <>
      <Bean size={15} /> {formatBeans(cutBeans)}
    </>
  );
  return (
    <section className={classNames(parts.card, styles.card)}>
      <SectionTitle icon={Gavel} title={t("desk.appeal.decision")} />
      <FactList
        className={styles.facts}
        facts={[
          [
            t("desk.appeal.banned"),
            ban.until === null ? t("desk.hours.0") : t("desk.forbid.until", { until: formatTime(ban.until) }),
          ],
          [t("desk.reason"), t(`ban.reason.${ban.reason_id}`)],
          [t("desk.strike"), ban.strike === 0 ? t("desk.strikes.none") : strike],
          [t("desk.appeal.cutBeans"), beans],
          ban.rule !== null && [t("desk.appeal.rule"), t(`desk.rule.${ban.rule}`)],
        ]}
      />
      {lines.length > 0 && (
        <div className={styles.lines}>
          <ChatLines lines={whole ? lines : first} name={person.nickname} />
          {first.length < lines.length && (
            <button type="button" className={parts.more} aria-expanded={whole} onClick={() => setWhole(!whole)}>
              {whole ? t("desk.chat.less") : t("desk.chat.all", { count: lines.length })}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

type Outcome = "upheld" | "shortened" | "lifted";
type Hours = (typeof shortenedHours)[number];

const outcomes: readonly Outcome[] = ["upheld", "shortened", "lifted"];

/** The moderator chooses the outcome first, then writes and sends the answer; the button names the action. */
function AppealAnswer(props: { appeals: Appeals; detail: AppealDetail; userId: number }): ReactNode {
  const t = useT();
  const id = useId();
  const { appeals, detail, userId } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const { written } = appeals;
  const [outcome, setOutcome] = useState<Outcome | null>(written?.outcome ?? null);
  const [hours, setHours] = useState<Hours>(written?.outcome === "shortened" ? written.hours : 24);
  const [text, setText] = useState(written?.answer ?? "");
  const own = useOwnAnswers(userId);
  const off = appeals.closed !== null;
  const answer = text.trim();
  const ready = !off && outcome !== null && answer !== "";

  const choose = (chosen: Outcome) => {
    if (off) return;
    setOutcome(chosen);
    // The field is enabled by this choice, and can take the focus only after that.
    requestAnimationFrame(() => field.current?.focus());
  };
  const send = () => {
    if (!ready) return;
    if (outcome === "shortened") appeals.decide({ kind: "appeal", outcome, hours, answer });
    else appeals.decide({ kind: "appeal", outcome, answer });
  };
  useShortcuts((key) => {
    const chosen = outcomes[Number(key) - 1];
    if (chosen === undefined) return false;
    choose(chosen);
    return true;
  });
  const insert = (inserted: string) => {
    const { selectionStart: start = text.length, selectionEnd: end = text.length } = field.current ?? {};
    setText(withInserted(text, { inserted, start, end, lengthMax: appealAnswerLengthMax }));
    field.current?.focus();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return send();
    const digit = /^Digit([1-3])$/.exec(event.code)?.[1];
    const inserted = event.altKey && digit !== undefined ? own[Number(digit) - 1] : undefined;
    if (!inserted) return undefined;
    event.preventDefault();
    return insert(inserted);
  };

  return (
    <div className={styles.answer}>
      <div className={classNames(parts.actions, styles.outcomes)} role="group" aria-label={t("desk.appeal.outcome")}>
        {outcomes.map((one, index) => (
          <KeyButton
            key={one}
            shortcut={String(index + 1)}
            disabled={off}
            aria-pressed={outcome === one}
            onClick={() => choose(one)}
          >
            {t(`desk.appeal.${one}`)}
          </KeyButton>
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
        {t("desk.appeal.answer")} <span>{t("desk.appeal.reads", { name: isolate(detail.person.nickname) })}</span>
      </label>
      <OwnAnswers answers={own} disabled={off || outcome === null} onInsert={insert} />
      <TextArea
        ref={field}
        id={id}
        rows={3}
        dir="auto"
        disabled={off || outcome === null}
        placeholder={outcome === null ? t("desk.appeal.chooseFirst") : undefined}
        maxLength={appealAnswerLengthMax}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={pressed}
      />
      <footer className={classNames(parts.actions, styles.actions)}>
        <KeyButton
          kind="ink"
          shortcut="Control+Enter"
          keyText="Ctrl ↵"
          disabled={!ready}
          icon={<Send size={18} className="flip" aria-hidden="true" />}
          onClick={send}
        >
          {sendText(t, outcome, detail.cut_beans)}
        </KeyButton>
      </footer>
    </div>
  );
}

function sendText(t: Translate, outcome: Outcome | null, cutBeans: number): string {
  if (outcome === null) return t("desk.appeal.send");
  if (outcome === "lifted" && cutBeans > 0) return t("desk.appeal.liftBeans", { beans: formatBeans(cutBeans) });
  return t(`desk.appeal.do.${outcome}`);
}
