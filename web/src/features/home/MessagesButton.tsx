import { MessageCircle } from "lucide-react";
import type { ReactNode } from "react";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { openThread } from "#lib/person-links.ts";
import { badgeText, useUnread } from "#lib/unread.ts";
import { IconButton } from "#ui/IconButton.tsx";
import styles from "./MessagesButton.module.css";

/** Opens the messages, and says how many are unread (rule MSG-70). */
export function MessagesButton(): ReactNode {
  const t = useT();
  const unread = useUnread();
  const label = unread > 0 ? t("home.messagesUnread", { n: unread, count: formatNumber(unread) }) : t("home.messages");
  return (
    <IconButton
      className={styles.button}
      label={label}
      icon={
        <>
          <MessageCircle size={21} className="flip" aria-hidden="true" />
          {unread > 0 && <b aria-hidden="true">{badgeText(unread)}</b>}
        </>
      }
      onClick={() => openThread(null)}
    />
  );
}
