import { type ReactNode, useEffect } from "react";
import { useT } from "#lib/i18n.ts";
import { BackArrow } from "./BackArrow.tsx";
import { ConversationRows } from "./ConversationRows.tsx";
import { useMessages, wantBox } from "./messages.ts";
import styles from "./ListColumn.module.css";

/** Who wants to write and waits for an answer. */
export function RequestList({ titleId, onBack }: { titleId: string; onBack: () => void }): ReactNode {
  const t = useT();
  const isNone = useMessages(({ boxes }) => boxes.requests.isKnown && boxes.requests.rows.length === 0);
  useEffect(() => wantBox("requests"), []);
  return (
    <div className={styles.list}>
      <div className={styles.head}>
        <BackArrow label={t("common.back")} onPress={onBack} always />
        <h1 id={titleId}>{t("msg.requests")}</h1>
      </div>
      <nav className={styles.rows} aria-label={t("msg.requests")}>
        {isNone && (
          <div className={styles.nobody} role="status">
            <b>{t("msg.requestsNone")}</b>
            <p>{t("msg.requestsNoneText")}</p>
          </div>
        )}
        <ConversationRows box="requests" />
      </nav>
    </div>
  );
}
