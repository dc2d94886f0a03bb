import { Ban, Check, Flag as ReportFlag } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { blockPerson } from "#lib/relation-actions.ts";
import { Button } from "#ui/Button.tsx";
import { showToast } from "#ui/toast-store.ts";
import { answerRequest, choose } from "./messages.ts";
import type { Thread } from "./messages-state.ts";
import { personRef, reportThread } from "./person-of.ts";
import styles from "./RequestAsk.module.css";

/** Somebody's one message waits for an answer; whoever is declined is not told (rule MSG-77). */
export function RequestAsk({ thread, onAnswered }: { thread: Thread; onAnswered: () => void }): ReactNode {
  const t = useT();
  const titleId = useId();
  const [answering, setAnswering] = useState<"accept" | "decline" | null>(null);
  const { conversation, externalId } = thread;
  if (!conversation) return null;
  const name = isolate(conversation.userProfile.nick);
  async function answer(isAccepted: boolean): Promise<void> {
    if (answering) return;
    setAnswering(isAccepted ? "accept" : "decline");
    const isTaken = await answerRequest(externalId, isAccepted);
    setAnswering(null);
    if (!isTaken) return void showToast({ type: "error", text: t("msg.ask.failed") });
    onAnswered();
    if (isAccepted) return void showToast({ type: "success", text: t("msg.ask.accepted") });
    choose(null);
    showToast({ type: "info", text: t("msg.ask.declined", { name }) });
  }
  return (
    <section className={styles.ask} aria-labelledby={titleId}>
      <h2 id={titleId}>{t("msg.ask.title", { name })}</h2>
      <p>{t("msg.ask.text", { name })}</p>
      <div className={styles.answers}>
        <Button
          kind="ink"
          icon={<Check size={18} aria-hidden="true" />}
          loading={answering === "accept"}
          onClick={() => void answer(true)}
        >
          {t("msg.ask.accept")}
        </Button>
        <Button kind="outline" loading={answering === "decline"} onClick={() => void answer(false)}>
          {t("msg.ask.decline")}
        </Button>
        <span />
        <Button
          kind="plain"
          icon={<Ban size={18} aria-hidden="true" />}
          onClick={() => void blockPerson(personRef(conversation))}
        >
          {t("msg.block")}
        </Button>
        <Button kind="plain" icon={<ReportFlag size={18} aria-hidden="true" />} onClick={() => reportThread(thread)}>
          {t("msg.report")}
        </Button>
      </div>
    </section>
  );
}
