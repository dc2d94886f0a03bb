import { type ReactNode, useId, useState } from "react";
import { chatReport, feedback } from "@fava/wire/endpoints/moderation.ts";
import { reasonsOfferedIn, type ReportReason } from "@fava/wire/reasons.ts";
import { request } from "#lib/api/request.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useSheetTheme } from "#lib/call-shown.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { ReportWords } from "#ui/ReportWords.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Switch } from "#ui/Switch.tsx";
import { showToast } from "#ui/toast-store.ts";
import { offerNoKindWordTo } from "./kind-words.ts";
import { type ReportSubject, useChosen } from "./person-links.ts";
import { blockPerson, tellFailure } from "./relation-actions.ts";
import styles from "./Report.module.css";

const reasons = reasonsOfferedIn("report");

/** What happened, and whether to block as well; the server tells nobody who reported. */
export function ReportSheet(): ReactNode {
  const { report } = useChosen();
  return report && <Report subject={report} />;
}

function Report({ subject }: { subject: ReportSubject }): ReactNode {
  const t = useT();
  const theme = useSheetTheme();
  const formId = useId();
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [note, setNote] = useState("");
  const [alsoBlock, setAlsoBlock] = useState(false);
  const [missing, setMissing] = useState(false);
  const [sending, setSending] = useState(false);
  const name = isolate(subject.nickname);
  const close = () => closeOverlay("report");
  async function submit(): Promise<void> {
    setMissing(reason === null);
    if (reason === null || sending) return;
    setSending(true);
    const sent = await send(subject, reason, note.trim());
    setSending(false);
    if (!sent) return;
    closeOverlay("report", "done");
    showToast({ type: "success", text: t("report.sent") });
    if (alsoBlock) await blockPerson(subject);
  }
  return (
    <Sheet
      {...theme}
      widthPx={760}
      title={t("report.title")}
      lead={t("report.lead", { name })}
      onClose={close}
      row
      foot={
        <>
          <Button kind="quiet" onClick={close}>
            {t("common.cancel")}
          </Button>
          <Button kind="ink" type="submit" form={formId} aria-disabled={reason === null} loading={sending}>
            {t("report.send")}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <fieldset className={styles.reasons}>
          <legend className="visually-hidden">{t("report.title")}</legend>
          {reasons.map(({ id }) => (
            <label key={id}>
              <input type="radio" name="reason" checked={reason === id} onChange={() => setReason(id)} />
              <b>{t(`reason.report.${id}`)}</b>
              <small>{t(`reason.reportHint.${id}`)}</small>
            </label>
          ))}
        </fieldset>
        <p className={styles.hint} aria-hidden="true">
          {reason !== null && t(`reason.reportHint.${reason}`)}
        </p>
        {missing && reason === null && (
          <p className={styles.missing} role="alert">
            {t("report.choose")}
          </p>
        )}
        <ReportWords value={note} onChange={setNote} />
        <Switch checked={alsoBlock} hint={t("report.blockHint")} onChange={setAlsoBlock}>
          {t("report.block", { name })}
        </Switch>
        <p className={styles.note}>
          {subject.callId !== undefined && (
            <>
              <span>{t("report.sends")}</span>{" "}
            </>
          )}
          {t("report.note")}
        </p>
      </form>
    </Sheet>
  );
}

/** Resolves to false if the server did not store the report; the reason was then shown already. */
async function send(subject: ReportSubject, reason: ReportReason, note: string): Promise<boolean> {
  const user = currentUser();
  if (!user) return false;
  const { userId, callId, messageId } = subject;
  const report = { id: reason, user_id: user.user_id, other_id: userId, ...(note !== "" && { note }) };
  try {
    if (messageId === undefined)
      await request(feedback, callId === undefined ? report : { ...report, call_id: callId });
    else await request(chatReport, { ...report, message_id: messageId });
    offerNoKindWordTo(userId);
    return true;
  } catch (error) {
    tellFailure(error);
    return false;
  }
}
