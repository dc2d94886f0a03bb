import { MessageCircle } from "lucide-react";
import type { ReactNode } from "react";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { openThread } from "#lib/person-links.ts";
import { badgeText, useWaiting } from "#lib/unread.ts";
import { IconButton } from "#ui/IconButton.tsx";
import styles from "./MessagesButton.module.css";

/** Opens the messages, and says how many are unread and how many requests wait (rule MSG-70). */
export function MessagesButton(): ReactNode {
  const t = useT();
  const { messages, requests } = useWaiting();
  const unread = messages + requests;
  const words = [
    messages > 0 ? t("home.messagesUnread", { n: messages, count: formatNumber(messages) }) : t("home.messages"),
    ...(requests > 0 ? [t("home.requestsCount", { n: requests, count: formatNumber(requests) })] : []),
  ];
  return (
    <IconButton
      className={styles.button}
      label={words.join(" · ")}
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
