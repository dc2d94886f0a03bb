import { Check, CheckCheck, CircleAlert, Clock } from "lucide-react";
import type { ReactNode } from "react";
import { formatTime } from "#lib/format-date.ts";
import { type Key, type Translate, useT } from "#lib/i18n.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { formatHour } from "./message-time.ts";
import { discard, tryAgain } from "./messages.ts";
import type { SendProblem, Unsent } from "./messages-state.ts";
import type { ThreadRow } from "./thread-rows.ts";
import styles from "./MessageBubble.module.css";

const refusalTexts: Readonly<Partial<Record<string, Key>>> = {
  personal_data: "refused.personal_data",
  abusive_text: "refused.abusive_text",
  not_friends: "refused.not_friends",
  request_pending: "refused.request_pending",
  official: "refused.official",
  profile_incomplete: "refused.profile_incomplete",
};

type UnsentFailed = Extract<Unsent, { state: "failed" }>;

/** One message; what was not sent says why, and keeps its text (rule MSG-74). */
export function MessageBubble(props: {
  row: Extract<ThreadRow, { kind: "bubble" }>;
  externalId: string;
  onEdit: (failed: UnsentFailed) => void;
}): ReactNode {
  const t = useT();
  const { from, text, atMs, isTail, unsent } = props.row;
  const failed = unsent?.state === "failed" ? unsent : null;
  return (
    <>
      <p
        className={styles.bubble}
        data-from={from}
        data-tail={isTail || undefined}
        data-failed={failed ? true : undefined}
        data-gone={text === "" || undefined}
        title={formatTime(atMs)}
      >
        {/* Inside, so that a text of another direction does not turn the bubble round. */}
        {text === "" ? t("msg.deleted") : <span dir="auto">{text}</span>}
      </p>
      {unsent && !failed && (
        <p className={styles.state}>
          <Clock size={15} aria-hidden="true" />
          <VisuallyHidden>{t("msg.sending")}</VisuallyHidden>
        </p>
      )}
      {failed && <Failed failed={failed} externalId={props.externalId} onEdit={props.onEdit} />}
    </>
  );
}

/** What became of the newest own message. */
export function Receipt({ isRead, atMs }: { isRead: boolean; atMs: number }): ReactNode {
  const t = useT();
  return (
    <p className={styles.state}>
      {isRead ? <CheckCheck size={15} aria-hidden="true" /> : <Check size={15} aria-hidden="true" />}
      {isRead ? t("msg.read") : t("msg.sent", { time: formatHour(atMs) })}
    </p>
  );
}

function Failed(props: {
  failed: UnsentFailed;
  externalId: string;
  onEdit: (failed: UnsentFailed) => void;
}): ReactNode {
  const t = useT();
  const { failed, externalId } = props;
  const { clientId, problem } = failed;
  return (
    <div className={styles.state} data-failed>
      <CircleAlert size={15} aria-hidden="true" />
      <span>{problemWords(problem, t)}</span>
      {problem.kind === "refused" ? (
        <button type="button" onClick={() => props.onEdit(failed)}>
          {t("msg.edit")}
        </button>
      ) : (
        <button type="button" onClick={() => tryAgain(externalId, clientId)}>
          {t("common.retry")}
        </button>
      )}
      <button type="button" onClick={() => discard(externalId, clientId)}>
        {t("msg.discard")}
      </button>
    </div>
  );
}

function problemWords(problem: SendProblem, t: Translate): string {
  switch (problem.kind) {
    case "network":
      return t("msg.notSent");
    case "too-fast":
      return t("msg.tooFast");
    case "refused":
      return t(refusalTexts[problem.reason] ?? "msg.cannot");
  }
}
