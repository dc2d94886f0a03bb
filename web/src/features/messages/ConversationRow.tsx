import { Check, CheckCheck, CircleAlert, Clock } from "lucide-react";
import type { ReactNode } from "react";
import type { Conversation } from "@fava/wire/messages.ts";
import { formatNumber } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { badgeText } from "#lib/unread.ts";
import { useKnownPresence } from "#lib/use-known-presence.ts";
import { Flag } from "#ui/Flag.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { compareIds } from "./message-order.ts";
import { dayName, formatDate, formatHour } from "./message-time.ts";
import { choose, useMessages } from "./messages.ts";
import type { Unsent } from "./messages-state.ts";
import { PresenceAvatar } from "./PresenceAvatar.tsx";
import rowStyles from "./ListRow.module.css";
import styles from "./ConversationRow.module.css";

/** One conversation of the list: who, the last line, when, and what is unread. */
export function ConversationRow(props: {
  row: Conversation;
  isOpen: boolean;
  isStop: boolean;
  nowMs: number;
}): ReactNode {
  const t = useT();
  const { row } = props;
  const { externalId, userProfile, unreadCount, lastMessage } = row;
  const presence = useKnownPresence(row.presence);
  const isTyping = useMessages((state) => state.typing.has(externalId));
  const unsent = useMessages((state) => state.unsent.get(externalId)?.at(-1) ?? null);
  return (
    <li>
      <button
        type="button"
        className={rowStyles.row}
        data-conversation={externalId}
        data-unread={unreadCount > 0 || undefined}
        aria-current={props.isOpen || undefined}
        tabIndex={props.isStop ? 0 : -1}
        onClick={() => choose(externalId)}
      >
        <PresenceAvatar src={userProfile.avatar} name={userProfile.nick} presence={presence} sizePx={52} />
        <span className={rowStyles.words}>
          <b>
            <bdi>{userProfile.nick}</bdi>
            <Flag src={row.country_flag} widthPx={16} />
            {presence && <VisuallyHidden>{t(`msg.presence.${presence}`)}</VisuallyHidden>}
          </b>
          {isTyping ? (
            <small data-typing>{t("msg.typing")}</small>
          ) : (
            <small dir="auto">{lastLine(row, unsent, t)}</small>
          )}
        </span>
        <span className={styles.end}>
          {lastMessage && <time>{whenOf(lastMessage.time, props.nowMs, t)}</time>}
          {unreadCount > 0 ? (
            <>
              <b className={rowStyles.count} aria-hidden="true">
                {badgeText(unreadCount)}
              </b>
              <VisuallyHidden>{t("msg.unread", { n: unreadCount, count: formatNumber(unreadCount) })}</VisuallyHidden>
            </>
          ) : (
            <OwnState row={row} unsent={unsent} />
          )}
        </span>
      </button>
    </li>
  );
}

/** What the last own message has come to. */
function OwnState({ row, unsent }: { row: Conversation; unsent: Unsent | null }): ReactNode {
  const t = useT();
  if (unsent?.state === "failed")
    return <CircleAlert size={16} className={styles.failed} role="img" aria-label={t("msg.notSent")} />;
  if (unsent) return <Clock size={15} role="img" aria-label={t("msg.sending")} />;
  const { lastMessage, read_up_to: readUpTo } = row;
  if (lastMessage?.position !== "right" || lastMessage.msgType !== "text") return null;
  if (readUpTo !== null && compareIds(readUpTo, lastMessage.id) >= 0)
    return <CheckCheck size={16} role="img" aria-label={t("msg.read")} />;
  return <Check size={16} aria-hidden="true" />;
}

function lastLine({ lastMessage }: Conversation, unsent: Unsent | null, t: Translate): string {
  if (unsent) return ownLine(unsent.text, t);
  if (!lastMessage) return t("msg.new");
  if (lastMessage.msgType === "met") return t("msg.metLast");
  if (lastMessage.text === "") return t("msg.deleted");
  return lastMessage.position === "right" ? ownLine(lastMessage.text, t) : lastMessage.text;
}

/** The text keeps its own direction between the words around it. */
function ownLine(text: string, t: Translate): string {
  return t("msg.you", { text: `\u2068${text}\u2069` });
}

function whenOf(atMs: number, nowMs: number, t: Translate): string {
  const day = dayName(atMs, nowMs);
  if (day === "today") return formatHour(atMs);
  return day === "yesterday" ? t("msg.yesterday") : formatDate(atMs, nowMs);
}
