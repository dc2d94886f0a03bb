import { Check, CheckCheck, CircleAlert, Clock, Inbox, PenLine } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import type { Conversation } from "@fava/wire/messages.ts";
import { useRelations } from "#features/people/relations.ts";
import { useKnownPresence } from "#features/people/use-known-presence.ts";
import { badgeText, formatNumber, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { minuteMs, useNow } from "#lib/use-now.ts";
import { Button } from "#ui/Button.tsx";
import { Flag } from "#ui/Flag.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { OfficialMark } from "#ui/OfficialMark.tsx";
import { PresenceAvatar } from "#ui/PresenceAvatar.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { BackArrow } from "./BackArrow.tsx";
import { compareIds } from "./message-order.ts";
import { dayName, formatMessageDate, formatMessageHour } from "./message-time.ts";
import type { FolderName, Unsent } from "./messages-state.ts";
import { chooseConversation, refreshList, useMessages, loadFolder, loadMoreOf } from "./messages.ts";
import styles from "./Messages.module.css";

/** Message requests at the top, then the conversations by their last message. */
export function ConversationList(props: {
  titleId: string;
  onNew: () => void;
  onRequests: () => void;
  onClose: () => void;
  /** Shown on a phone below an empty list. */
  children?: ReactNode;
}): ReactNode {
  const t = useT();
  return (
    <div className={styles.list}>
      <div className={styles.head}>
        <BackArrow label={t("common.back")} onPress={props.onClose} />
        <h1 id={props.titleId}>{t("msg.title")}</h1>
        <IconButton label={t("msg.new")} icon={<PenLine size={21} aria-hidden="true" />} onClick={props.onNew} />
      </div>
      <nav className={styles.rows} aria-label={t("msg.list")}>
        <Requests onOpen={props.onRequests} />
        <ConversationRows folder="conversations" />
        {props.children !== undefined && <div className={styles.onlyPhone}>{props.children}</div>}
      </nav>
    </div>
  );
}

function Requests({ onOpen }: { onOpen: () => void }): ReactNode {
  const t = useT();
  const { count, latestNick } = useMessages((state) => state.requests);
  const isOpen = useMessages((state) => state.thread?.conversation?.state === "request_in");
  if (count === 0) return null;
  return (
    <button type="button" className={styles.requests} aria-current={isOpen || undefined} onClick={onOpen}>
      <i aria-hidden="true">
        <Inbox size={20} />
      </i>
      <span className={styles.words}>
        <b>{t("msg.requests")}</b>
        {latestNick !== null && <small>{t("msg.requestsFrom", { name: isolate(latestNick) })}</small>}
      </span>
      <b className={styles.count} aria-hidden="true">
        {badgeText(count)}
      </b>
      <VisuallyHidden>{t("home.requestsCount", { n: count, count: formatNumber(count) })}</VisuallyHidden>
    </button>
  );
}

const places = [1, 2, 3, 4] as const;

/** The rows of one folder; Up, Down, Home and End move between them. */
function ConversationRows({ folder: name }: { folder: FolderName }): ReactNode {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  const folder = useMessages((state) => state.folders[name]);
  const openId = useMessages((state) => state.thread?.externalId ?? null);
  const relations = useRelations();
  const nowMs = useNow(minuteMs);
  const rows = folder.rows.filter(({ userId }) => relations.get(userId)?.hidden !== true);
  if (!folder.isKnown && rows.length === 0) {
    return folder.failed === "none" ? <Loading /> : <Failed onRetry={() => retry(name)} />;
  }
  // One Tab stop: the open conversation, or the first.
  const stop = rows.some(({ externalId }) => externalId === openId) ? openId : rows[0]?.externalId;
  const pressed = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>("[data-conversation]") ?? [])];
    const next = nextRowIndex(event.key, buttons.indexOf(document.activeElement as HTMLElement), buttons.length);
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    buttons[next]?.focus();
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the buttons in it */}
      <ul ref={list} onKeyDown={pressed}>
        {rows.map((row) => (
          <ConversationRow
            key={row.externalId}
            row={row}
            isOpen={row.externalId === openId}
            isStop={row.externalId === stop}
            nowMs={nowMs}
          />
        ))}
      </ul>
      {folder.next !== null && (
        <div className={styles.more}>
          {folder.failed === "more" && <p role="alert">{t("msg.listFailed")}</p>}
          <Button kind="outline" size="small" loading={folder.load === "more"} onClick={() => loadMoreOf(name)}>
            {t("msg.more")}
          </Button>
        </div>
      )}
    </>
  );
}

function retry(name: FolderName): void {
  if (name === "requests") loadFolder(name);
  else refreshList();
}

function Failed({ onRetry }: { onRetry: () => void }): ReactNode {
  const t = useT();
  return (
    <div className={styles.nobody} role="alert">
      <p>{t("msg.listFailed")}</p>
      <Button kind="outline" size="small" onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </div>
  );
}

function Loading(): ReactNode {
  const t = useT();
  return (
    <div className={styles.loading} role="status">
      <VisuallyHidden>{t("msg.loadingList")}</VisuallyHidden>
      {places.map((place) => (
        <Skeleton key={place} height="64px" />
      ))}
    </div>
  );
}

/** One conversation of the list: name, last line, time, and unread count. */
function ConversationRow(props: { row: Conversation; isOpen: boolean; isStop: boolean; nowMs: number }): ReactNode {
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
        className={styles.row}
        data-conversation={externalId}
        data-unread={unreadCount > 0 || undefined}
        aria-current={props.isOpen || undefined}
        tabIndex={props.isStop ? 0 : -1}
        onClick={() => chooseConversation(externalId)}
      >
        <PresenceAvatar src={userProfile.avatar} name={userProfile.nick} presence={presence} sizePx={52} />
        <span className={styles.words}>
          <b data-official={row.state === "official" || undefined}>
            <bdi translate="no">{userProfile.nick}</bdi>
            <Flag src={row.country_flag} widthPx={16} />
            {row.state === "official" && <OfficialMark />}
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
              <b className={styles.count} aria-hidden="true">
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

/** The delivery state of the user's own last message. */
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

function lastLine({ lastMessage, userProfile }: Conversation, unsent: Unsent | null, t: Translate): string {
  if (unsent) return ownLine(unsent.text, t);
  if (!lastMessage) return t("msg.new");
  if (lastMessage.msgType === "met") return t("msg.metLast");
  if (lastMessage.msgType === "missed")
    return lastMessage.position === "right" ? t("msg.notTaken", { name: isolate(userProfile.nick) }) : t("msg.missed");
  if (lastMessage.text === "") return t("msg.deleted");
  const text = lastMessage.cover ? t("covered.hurts") : lastMessage.text;
  return lastMessage.position === "right" ? ownLine(text, t) : text;
}

/** Isolates the text, which keeps its own direction between the words around it. */
function ownLine(text: string, t: Translate): string {
  return t("msg.you", { text: `\u2068${text}\u2069` });
}

function whenOf(atMs: number, nowMs: number, t: Translate): string {
  const day = dayName(atMs, nowMs);
  if (day === "today") return formatMessageHour(atMs);
  return day === "yesterday" ? t("msg.yesterday") : formatMessageDate(atMs, nowMs);
}

/** The row to which a key moves the focus; null if the key does not move it. `at` -1: no row has the focus. */
export function nextRowIndex(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, count - 1);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** The message requests of users who wait for an answer. */
export function RequestList({ titleId, onBack }: { titleId: string; onBack: () => void }): ReactNode {
  const t = useT();
  const isNone = useMessages(({ folders }) => folders.requests.isKnown && folders.requests.rows.length === 0);
  useEffect(() => loadFolder("requests"), []);
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
        <ConversationRows folder="requests" />
      </nav>
    </div>
  );
}
