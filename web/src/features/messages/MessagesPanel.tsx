import { ShieldCheck, Video } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useChosen } from "#features/people/person-links.ts";
import { useRelations } from "#features/people/relations.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Button } from "#ui/Button.tsx";
import { Panel } from "#ui/Panel.tsx";
import { ConversationList, RequestList } from "./ConversationList.tsx";
import { FriendFaces, FriendPicker } from "./FriendPicker.tsx";
import { NoThread, ThreadView } from "./ThreadView.tsx";
import { chooseConversation, followConversation, refreshList, useIsFollowing, useMessages } from "./messages.ts";
import styles from "./Messages.module.css";

/** What the list column shows. */
type ListView = "conversations" | "requests" | "friends";

const titleId = "messages-title";

/** Conversations and the open one: side by side on a desktop, one after the other on a phone. */
export function MessagesPanel({ onStart, overCall }: { onStart: () => void; overCall: boolean }): ReactNode {
  const { thread: chosen } = useChosen();
  const [view, setView] = useState<ListView>("conversations");
  const thread = useMessages((state) => state.thread);
  const isEmpty = useIsEmpty();
  const isBesideList = !useIsMobile() && !overCall && view === "conversations";
  useFollowing(chosen);
  const close = () => closeOverlay("messages");
  const empty = isEmpty ? <EmptyMessages onStart={onStart} /> : undefined;
  const escape = () => {
    if (thread) return leaveThread(thread.externalId);
    if (view !== "conversations") return setView("conversations");
    return close();
  };
  return (
    <Panel labelledBy={titleId} onEscape={escape} overCall={overCall}>
      <div className={styles.columns} data-shows={thread ? "thread" : "list"}>
        {view === "conversations" && (
          <ConversationList
            titleId={titleId}
            onNew={() => setView("friends")}
            onRequests={() => setView("requests")}
            onClose={close}
          >
            {empty}
          </ConversationList>
        )}
        {view === "requests" && <RequestList titleId={titleId} onBack={() => setView("conversations")} />}
        {view === "friends" && (
          <FriendPicker
            titleId={titleId}
            onBack={() => setView("conversations")}
            onPick={(externalId) => {
              setView("conversations");
              chooseConversation(externalId);
            }}
          />
        )}
        {thread ? (
          <ThreadView
            key={thread.externalId}
            thread={thread}
            onClose={close}
            onAnswered={() => setView("conversations")}
          />
        ) : (
          <NoThread onClose={close}>{empty ?? (isBesideList && <FriendFaces onPick={chooseConversation} />)}</NoThread>
        )}
      </div>
    </Panel>
  );
}

/** On a desktop the thread is beside the list: Escape only moves the focus there. */
function leaveThread(externalId: string): void {
  const row = document.querySelector<HTMLElement>(`[data-conversation="${CSS.escape(externalId)}"]`);
  const isBeside = row?.checkVisibility() === true;
  if (isBeside && document.activeElement !== row) row.focus();
  else chooseConversation(null);
}

/** Opens the chosen conversation, even if another part of the page chose it; closes it with the panel. */
function useFollowing(chosen: string | null): void {
  const isFollowing = useIsFollowing();
  useEffect(() => {
    if (isFollowing) followConversation(chosen);
  }, [isFollowing, chosen]);
  useEffect(() => {
    if (isFollowing) refreshList();
    return () => followConversation(null);
  }, [isFollowing]);
  useBlocking();
}

/** A blocked person's conversation closes at once, and returns with its messages when the block is undone. */
function useBlocking(): void {
  const relations = useRelations();
  const openUser = useMessages((state) => state.thread?.conversation?.userId);
  const isHidden = openUser !== undefined && relations.get(openUser)?.hidden === true;
  useEffect(() => {
    if (isHidden) chooseConversation(null);
  }, [isHidden]);
  const hiddenCount = [...relations.values()].filter(({ hidden }) => hidden).length;
  useEffect(() => refreshList(), [hiddenCount]);
}

function useIsEmpty(): boolean {
  const folder = useMessages((state) => state.folders.conversations);
  const requests = useMessages((state) => state.requests.count);
  return folder.isKnown && requests === 0 && folder.rows.every(({ state }) => state === "official");
}

/** Shown while there are no messages in either direction. */
function EmptyMessages({ onStart }: { onStart: () => void }): ReactNode {
  const t = useT();
  return (
    <div className={styles.empty}>
      <div className={styles.art} aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
      <h2>{t("msg.empty.title")}</h2>
      <p>{t("msg.empty.text")}</p>
      <Button kind="go" icon={<Video size={20} fill="currentColor" aria-hidden="true" />} onClick={onStart}>
        {t("home.start")}
      </Button>
      <small>
        <ShieldCheck size={16} aria-hidden="true" />
        {t("msg.empty.safe")}
      </small>
    </div>
  );
}
