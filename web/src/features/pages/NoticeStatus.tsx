import { type ReactNode, useId, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { codes } from "@fava/wire/codes.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { noticeAnswer, noticeStatus } from "@fava/wire/endpoints/notices.ts";
import { noticeTextLengthMax } from "@fava/wire/limits.ts";
import { hasVisibleSign } from "@fava/wire/visible-text.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatTime } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { endpointQuery, queryClient } from "#lib/query.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import { CopyLinkButton } from "#ui/CopyLinkButton.tsx";
import { Field, TextArea } from "#ui/Field.tsx";
import { Link } from "#ui/Link.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import styles from "./Notice.module.css";

type Status = OutputOf<typeof noticeStatus>;

/** Without a session: the token alone opens the notice. */
const asNobody = { token: "", quiet: true } as const;

/** The state of a sent notice, with the moderator's question or the decision. */
export function NoticeStatus({ token }: { token: string }): ReactNode {
  const t = useT();
  const query = endpointQuery(noticeStatus, { token }, { requestOptions: asNobody });
  const { data: status, error, refetch } = useQuery(query, queryClient);
  if (!status && error) {
    const isUnknown = error.code === codes.badInput;
    return (
      <section className={styles.form}>
        <h1>{t("notice.title")}</h1>
        <p role="alert">{t(isUnknown ? "notice.none" : "appeal.loadFailed")}</p>
        {isUnknown ? (
          <Link to="/notice" className={buttonClass({ kind: "ink" })}>
            {t("notice.new")}
          </Link>
        ) : (
          <Button kind="ink" onClick={() => void refetch()}>
            {t("common.retry")}
          </Button>
        )}
      </section>
    );
  }
  const replace = (answered: Status) => void queryClient.setQueryData(query.queryKey, answered);
  return (
    <section className={styles.form} aria-busy={!status}>
      <h1>{t("notice.yours")}</h1>
      {status ? <Progress token={token} status={status} onAnswered={replace} /> : <Skeleton height="240px" />}
    </section>
  );
}

function Progress(props: { token: string; status: Status; onAnswered: (status: Status) => void }): ReactNode {
  const t = useT();
  const { token, status } = props;
  return (
    <>
      <p className={styles.lead}>{t("notice.sent", { no: isolate(status.no) })}</p>
      <CopyLinkButton />
      <dl className={styles.facts}>
        <dt>{t("notice.kindTitle")}</dt>
        <dd>{t(`notice.kind.${status.kind}`)}</dd>
        <dt>{t("appeal.received")}</dt>
        <dd>{formatTime(status.at)}</dd>
      </dl>
      <div className={styles.state} role="status">
        <h2>{stateText(t, status)}</h2>
        {status.decided_at !== null && <p>{formatTime(status.decided_at)}</p>}
        {status.is_hidden && <p>{t("notice.hidden")}</p>}
        {status.reason !== "" && <p dir="auto">{status.reason}</p>}
      </div>
      {status.state === "asked" && (
        <AnswerForm token={token} question={status.question} onAnswered={props.onAnswered} />
      )}
    </>
  );
}

function stateText(t: Translate, { state, due_at }: Status): string {
  switch (state) {
    case "received":
      return t("appeal.answerBy", { time: formatTime(due_at) });
    case "asked":
      return t("notice.asked");
    case "upheld":
    case "unfounded":
      return t(`notice.${state}`);
  }
}

/** The moderator's question, and the sender's answer. */
function AnswerForm(props: { token: string; question: string; onAnswered: (status: Status) => void }): ReactNode {
  const t = useT();
  const id = useId();
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const send = async () => {
    if (isSending || !hasVisibleSign(text)) return;
    setSending(true);
    setFailed(false);
    try {
      props.onAnswered(await request(noticeAnswer, { token: props.token, text }, asNobody));
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      setFailed(true);
      setSending(false);
    }
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p dir="auto" className={styles.question}>
        {props.question}
      </p>
      <Field id={id} label={t("notice.answer")}>
        <TextArea
          id={id}
          rows={4}
          dir="auto"
          maxLength={noticeTextLengthMax}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <p className={styles.problem} role="alert">
        {hasFailed && t("appeal.failed")}
      </p>
      <Button type="submit" kind="ink" loading={isSending}>
        {t("msg.send")}
      </Button>
    </form>
  );
}
