import { BellRing } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { type AnswerNotice, loadAnswerNotice, unsubscribeFromAnswer } from "#features/notifications/appeal-answer.ts";
import { askToNotify } from "#features/notifications/ask.ts";
import { announce } from "#lib/announce.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Note } from "#ui/Note.tsx";
import { showToast } from "#ui/toast-store.ts";
import styles from "./Appeal.module.css";

/**
 * Whether this browser notifies of the answer to an appeal, or the offer to do so; empty if the server sends no
 * notifications, or the user declined in the last 30 days.
 */
export function AnswerOffer({ token, onAnswered }: { token: string; onAnswered: () => void }): ReactNode {
  const t = useT();
  const [notice, setNotice] = useState<AnswerNotice | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    let isShown = true;
    learn(token).then(
      (found) => isShown && setNotice(found),
      // Any other error is a bug: the page shows nothing, and logs it.
      (error: unknown) => console.error("could not load the subscription", error),
    );
    return () => {
      isShown = false;
    };
  }, [token]);

  async function ask(key: string): Promise<void> {
    const result = await askToNotify({ kind: "answer", token, key });
    const found = await learn(token);
    setNotice(found);
    if (result !== "done") return;
    if (found?.kind === "on") announce(t("appeal.tells"));
    else onAnswered();
  }

  async function stop(): Promise<void> {
    setBusy(true);
    try {
      await unsubscribeFromAnswer(token);
      setNotice(await learn(token));
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      showToast({ type: "error", text: t("notify.failed") });
    }
    setBusy(false);
  }

  switch (notice?.kind) {
    case "open": {
      const { key } = notice;
      return (
        <Button
          kind="outline"
          size="small"
          icon={<BellRing size={16} aria-hidden="true" />}
          onClick={() => void ask(key)}
        >
          {t("appeal.tell")}
        </Button>
      );
    }
    case "on":
      return (
        <div className={styles.tells}>
          <BellRing size={18} aria-hidden="true" />
          <p>{t("appeal.tells")}</p>
          <Button kind="quiet" size="small" loading={isBusy} onClick={() => void stop()}>
            {t("notify.tellStop")}
          </Button>
        </div>
      );
    case "denied":
    case "cannot":
      return <Note>{t(`notify.${notice.kind}`)}</Note>;
    case "none":
    case undefined:
      return null;
  }
}

/** Resolves to null if the request failed: the page then offers the notification on a later visit. */
async function learn(token: string): Promise<AnswerNotice | null> {
  try {
    return await loadAnswerNotice(token);
  } catch (error) {
    if (error instanceof RequestFailure) return null;
    throw error;
  }
}
