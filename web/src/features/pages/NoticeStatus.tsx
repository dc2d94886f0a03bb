import { Link2 } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
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
import { Button, buttonClass } from "#ui/Button.tsx";
import { Field, TextArea } from "#ui/Field.tsx";
import { Link } from "#ui/Link.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { showToast } from "#ui/toast-store.ts";
import styles from "./Notice.module.css";

type Status = OutputOf<typeof noticeStatus>;

/** Without a session: the token alone opens the notice. */
const asNobody = { token: "", quiet: true } as const;

/** The state of a sent notice, with the moderator's question or the decision. */
export function NoticeStatus({ token }: { token: string }): ReactNode {
  const t = useT();
  const { status, retry, replace } = useStatus(token);
  if (status === "none" || status === "failed") {
    return (
      <section className={styles.form}>
        <h1>{t("notice.title")}</h1>
        <p role="alert">{t(status === "none" ? "notice.none" : "appeal.loadFailed")}</p>
        {status === "failed" ? (
          <Button kind="ink" onClick={retry}>
            {t("common.retry")}
          </Button>
        ) : (
          <Link to="/notice" className={buttonClass({ kind: "ink" })}>
            {t("notice.new")}
          </Link>
        )}
      </section>
    );
  }
  return (
    <section className={styles.form} aria-busy={status === null}>
      <h1>{t("notice.yours")}</h1>
      {status === null ? <Skeleton height="240px" /> : <Progress token={token} status={status} onAnswered={replace} />}
    </section>
  );
}

function Progress(props: { token: string; status: Status; onAnswered: (status: Status) => void }): ReactNode {
  const t = useT();
  const { token, status } = props;
  return (
    <>
      <p className={styles.lead}>{t("notice.sent", { no: isolate(status.no) })}</p>
      <Button
        kind="outline"
        size="small"
        icon={<Link2 size={16} aria-hidden="true" />}
        onClick={() => void copyLink(t)}
      >
        {t("appeal.copyLink")}
      </Button>
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

async function copyLink(t: Translate): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    showToast({ type: "success", text: t("appeal.copied") });
  } catch {
    // The browser refused; the text is that of the specification.
    showToast({ type: "error", text: t("common.copyFailed") });
  }
}

type Loaded = Status | "none" | "failed" | null;

function useStatus(token: string): { status: Loaded; retry: () => void; replace: (status: Status) => void } {
  const [status, setStatus] = useState<Loaded>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const owner = new AbortController();
    const load = async () => {
      try {
        setStatus(await request(noticeStatus, { token }, { ...asNobody, signal: owner.signal }));
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error;
        if (error.reason !== "aborted") setStatus(error.code === codes.badInput ? "none" : "failed");
      }
    };
    void load();
    return () => owner.abort();
  }, [token, tries]);
  return {
    status,
    retry: () => {
      setStatus(null);
      setTries((count) => count + 1);
    },
    replace: setStatus,
  };
}
