import { useQuery } from "@tanstack/react-query";
import { Check, Hourglass, Lock, Scale, UserRound } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useStore } from "zustand";
import { appealLengthMax } from "@fava/wire/limits.ts";
import { type Appeal, appealGrounds } from "@fava/wire/moderation.ts";
import { hasVisibleSign } from "@fava/wire/visible-text.ts";
import { answerIsKnown } from "#features/notifications/appeal-answer.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatBeans, formatNumber, isolate } from "#lib/format.ts";
import { currentLanguage, type Translate, useT } from "#lib/i18n.ts";
import { queryClient } from "#lib/query.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button, buttonClass } from "#ui/Button.tsx";
import { CopyLinkButton } from "#ui/CopyLinkButton.tsx";
import { EmailField, Field, TextArea } from "#ui/Field.tsx";
import { RadioCards } from "#ui/RadioCards.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { AnswerOffer } from "./AnswerOffer.tsx";
import { BannedAccountRights } from "./BannedAccountRights.tsx";
import { appealForm, type Ground } from "./appeal-form.ts";
import { useAppealToken } from "./appeal-link.ts";
import { sawText, statementFormat } from "./ban-statement.ts";
import { appealQuery, appealState, type AppealStatus } from "./load-appeal.ts";
import styles from "./Appeal.module.css";

/** `/appeal`: requires only the token of the ban, also while banned. */
export function AppealPage(): ReactNode {
  const t = useT();
  useDocumentTitle(t("appeal.title"));
  const token = useAppealToken();
  const query = appealQuery(token);
  const answer = useQuery(query, queryClient);
  const state = appealState(token, answer);
  const isAnswered = state.kind === "ready" && state.status.appeal !== null && state.status.appeal.state !== "received";
  useEffect(() => {
    if (token !== null && isAnswered) void answerIsKnown(token);
  }, [token, isAnswered]);
  switch (state.kind) {
    case "loading":
      return (
        <main className={styles.main} aria-busy="true">
          <h1 className="visually-hidden">{t("appeal.title")}</h1>
          <Skeleton height="320px" />
        </main>
      );
    case "none":
      return (
        <main className={styles.narrow}>
          <h1>{t("appeal.noneTitle")}</h1>
          <p className={styles.lead}>{t("appeal.noneText")}</p>
          <a href="/" className={buttonClass({ kind: "ink" })}>
            {t("appeal.signIn")}
          </a>
        </main>
      );
    case "failed":
      return (
        <main className={styles.narrow}>
          <h1>{t("appeal.title")}</h1>
          <p role="alert">{t("appeal.loadFailed")}</p>
          <Button kind="ink" onClick={() => void answer.refetch()}>
            {t("common.retry")}
          </Button>
        </main>
      );
    case "ready": {
      const { status } = state;
      const replace = (sent: AppealStatus) => void queryClient.setQueryData(query.queryKey, sent);
      return (
        <main className={styles.main}>
          <div className={styles.column}>
            {status.appeal ? (
              <AppealProgress
                appeal={status.appeal}
                offer={<AnswerOffer token={state.token} onAnswered={() => void answer.refetch()} />}
              />
            ) : (
              <AppealForm token={state.token} mails={status.mails} onSent={replace} />
            )}
          </div>
          <DecisionFacts status={status} />
          <BannedAccountRights token={state.token} status={status} />
        </main>
      );
    }
  }
}

const grounds = appealGrounds.map((id) => ({ id, value: String(id) as `${Ground}` }));

/** Ground and text of an appeal; the draft stays in this browser until it is sent. */
export function AppealForm(props: {
  token: string;
  mails: boolean;
  onSent: (status: AppealStatus) => void;
}): ReactNode {
  const t = useT();
  const id = useId();
  const [{ store, change, send }] = useState(() => appealForm(props.token, props.onSent));
  const { draft, problem, sending } = useStore(store);
  const [email, setEmail] = useState("");
  const isAddressWrong = problem === "mail.wrong";
  const written = useRef<HTMLTextAreaElement>(null);
  const address = useRef<HTMLInputElement>(null);
  const chosen = draft.ground === null ? null : (String(draft.ground) as `${Ground}`);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // Moves the focus to the first missing field.
        if (draft.ground === null) event.currentTarget.querySelector("input")?.focus();
        else if (!hasVisibleSign(draft.text)) written.current?.focus();
        void send(email.trim());
        if (store.getState().problem === "mail.wrong") address.current?.focus();
      }}
    >
      <h1>{t("appeal.title")}</h1>
      <p className={styles.lead}>{t("appeal.lead")}</p>
      <RadioCards
        legend={t("appeal.groundTitle")}
        options={grounds.map(({ id: ground, value }) => ({ value, label: t(`appeal.ground.${ground}`) }))}
        value={chosen}
        onChange={(value) => change({ ...draft, ground: Number(value) as Ground })}
      />
      <Field id={id} label={t("appeal.text")}>
        <TextArea
          ref={written}
          id={id}
          rows={6}
          dir="auto"
          maxLength={appealLengthMax}
          value={draft.text}
          aria-describedby={`${id}-hint`}
          onChange={(event) => change({ ...draft, text: event.target.value })}
        />
        <p id={`${id}-hint`} className={styles.hint}>
          <span>{t("appeal.textHint")}</span>
          <span>
            {t("appeal.count", { count: formatNumber(draft.text.length), max: formatNumber(appealLengthMax) })}
          </span>
        </p>
      </Field>
      {props.mails && (
        <EmailField
          ref={address}
          id={`${id}-email`}
          label={t("appeal.email")}
          hint={t("appeal.emailHint")}
          wrong={isAddressWrong ? t(problem) : null}
          value={email}
          onChange={(typed) => {
            setEmail(typed);
            change(draft);
          }}
        />
      )}
      <p className={styles.problem} role="alert">
        {problem !== null && !isAddressWrong && t(problem)}
      </p>
      <div className={styles.foot}>
        <Button type="submit" kind="ink" size="large" loading={sending}>
          {t("appeal.send")}
        </Button>
        <p className={styles.once}>
          <Lock size={16} aria-hidden="true" /> {t("appeal.once")}
        </p>
      </div>
    </form>
  );
}

/** The progress of an appeal: received, read by another moderator, and its outcome; `offer`: to be notified of it. */
function AppealProgress({ appeal, offer }: { appeal: Appeal; offer: ReactNode }): ReactNode {
  const t = useT();
  const isDecided = appeal.state !== "received";
  const [openedAt] = useState(() => Date.now());
  const isLate = !isDecided && appeal.answer_by < openedAt;
  return (
    <>
      <h1>{t("appeal.yours")}</h1>
      <p className={styles.lead}>{t("appeal.yoursLead", { id: isolate(`A-${appeal.id}`) })}</p>
      <CopyLinkButton />
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
      {!isDecided && offer}
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

/** What is returned with a lifted ban. */
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

/** The decision that the appeal is about. */
function DecisionFacts({ status }: { status: AppealStatus }): ReactNode {
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
