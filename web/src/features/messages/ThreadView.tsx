import { Ban, Check, Ellipsis, Heart, Flag as ReportFlag, Send, User, UserCheck, UserPlus, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { messageLengthMax } from "@fava/wire/limits.ts";
import type { Conversation } from "@fava/wire/messages.ts";
import { findPersonalData } from "@fava/wire/personal-data.ts";
import { hasVisibleSign } from "@fava/wire/visible-text.ts";
import { closeThread, openProfile, openReport } from "#features/people/person-links.ts";
import { blockPerson, type PersonRef, setFollow, setLike } from "#features/people/relation-actions.ts";
import { useRelation } from "#features/people/relations.ts";
import { useKnownPresence } from "#features/people/use-known-presence.ts";
import { isComposing } from "#lib/composing.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { mobileQuery } from "#lib/use-media-query.ts";
import { Button } from "#ui/Button.tsx";
import { Flag } from "#ui/Flag.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { OfficialMark } from "#ui/OfficialMark.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem, MenuSeparator } from "#ui/MenuItems.tsx";
import { PresenceAvatar } from "#ui/PresenceAvatar.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { showToast } from "#ui/toast-store.ts";
import { BackArrow } from "./BackArrow.tsx";
import { MeetItem, ThreadCall } from "./ThreadCall.tsx";
import { ThreadLog } from "./ThreadLog.tsx";
import { isUnwritten, newestOfOther } from "./messages-machine.ts";
import type { Thread, Unsent } from "./messages-state.ts";
import {
  answerRequest,
  chooseConversation,
  discard,
  sendMessage,
  setWatched,
  typed,
  useDraft,
  useMessages,
  reloadThread,
} from "./messages.ts";
import messagesStyles from "./Messages.module.css";
import styles from "./Thread.module.css";

const nothingUnsent: readonly Unsent[] = [];

/** One conversation: its partner, its messages, and the composer. */
export function ThreadView(props: { thread: Thread; onClose: () => void; onAnswered: () => void }): ReactNode {
  const { thread, onClose } = props;
  const { externalId, conversation } = thread;
  const t = useT();
  const name = isolate(conversation?.userProfile.nick ?? "");
  const unsent = useMessages((state) => state.unsent.get(externalId) ?? nothingUnsent);
  const composer = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(thread);
  const isTyping = useMessages((state) => state.typing.has(externalId));
  useWatching();
  const closed = conversation && thread.isKnown ? whyClosed(conversation) : null;
  const canWrite = conversation !== null && canWriteIn(conversation);
  function edit(failed: Unsent): void {
    composer.current?.focus();
    discard(externalId, failed.clientId);
    // Appends the current draft. If both together are too long for one message, the counter shows by how much.
    setText(text === "" ? failed.text : `${failed.text}\n${text}`);
  }
  return (
    <section className={styles.thread} aria-label={name}>
      <ThreadHead thread={thread} onClose={onClose} />
      {thread.isKnown || thread.messages.length > 0 || unsent.length > 0 ? (
        <ThreadLog thread={thread} unsent={unsent} isTyping={isTyping} onEdit={canWrite ? edit : null} />
      ) : (
        <NotYet hasFailed={thread.failed === "first"} />
      )}
      {conversation?.state === "request_in" && <RequestAsk thread={thread} onAnswered={props.onAnswered} />}
      {closed && (
        <div className={styles.closed} role="note">
          <p>{t(closed, { name })}</p>
          {conversation?.state === "official" && <p>{t("other.officialNever")}</p>}
        </div>
      )}
      {canWrite && (
        <Composer
          // A user who opened a conversation probably wants to write.
          key={externalId}
          field={composer}
          conversation={conversation}
          text={text}
          onText={setText}
        />
      )}
    </section>
  );
}

/** The place of a thread on a desktop while none is open. */
export function NoThread({ onClose, children }: { onClose: () => void; children: ReactNode }): ReactNode {
  const t = useT();
  return (
    <section className={styles.thread} aria-label={t("msg.choose")}>
      <div className={styles.none}>
        <IconButton
          className={styles.corner}
          label={t("msg.close")}
          icon={<X size={22} aria-hidden="true" />}
          onClick={onClose}
        />
        {children}
      </div>
    </section>
  );
}

function NotYet({ hasFailed }: { hasFailed: boolean }): ReactNode {
  const t = useT();
  if (hasFailed) {
    return (
      <div className={styles.none} role="alert">
        <p>{t("msg.loadFailed")}</p>
        <Button kind="outline" size="small" onClick={reloadThread}>
          {t("common.retry")}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.notYet} role="status">
      <VisuallyHidden>{t("msg.loading")}</VisuallyHidden>
      <Skeleton width="40%" height="42px" />
      <Skeleton width="62%" height="42px" />
    </div>
  );
}

/** Nothing counts as seen once the thread is closed. */
function useWatching(): void {
  useEffect(() => () => setWatched(false), []);
}

/** The counter appears when this many letters are left. */
const counterFrom = 100;

/** Enter sends, Shift+Enter starts a new line. */
function Composer(props: {
  field: RefObject<HTMLTextAreaElement | null>;
  conversation: Conversation;
  text: string;
  onText: (text: string) => void;
}): ReactNode {
  const t = useT();
  const { conversation, text, onText, field } = props;
  const { externalId, presence } = conversation;
  const left = messageLengthMax - text.length;
  const label = t("msg.write", { name: isolate(conversation.userProfile.nick) });
  const isUnseen = text.trim() !== "" && !hasVisibleSign(text);
  // Friends may exchange contact details.
  const hasContactData = conversation.state !== "open" && text.trim() !== "" && findPersonalData(text).length > 0;
  useEffect(() => {
    // On a phone the keyboard would cover the messages.
    if (!isPhoneScreen()) field.current?.focus();
  }, [field]);
  function send(): void {
    const said = text.trim();
    if (!hasVisibleSign(said) || said.length > messageLengthMax) return;
    sendMessage(externalId, said);
    onText("");
  }
  function pressed(event: KeyboardEvent): void {
    // While an input method composes, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    send();
  }
  return (
    <div className={styles.foot}>
      <div role="status">
        {isUnseen && <p className={styles.hint}>{t("refused.invisible_text")}</p>}
        {hasContactData && <p className={styles.hint}>{t("msg.personalData")}</p>}
        {left <= counterFrom && (
          <p className={styles.hint}>{t("msg.lettersLeft", { n: left, count: formatNumber(left) })}</p>
        )}
      </div>
      <form
        className={styles.composer}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          ref={field}
          rows={1}
          // An empty field has the page's direction, like its placeholder.
          dir={text === "" ? undefined : "auto"}
          value={text}
          maxLength={messageLengthMax}
          placeholder={label}
          aria-label={label}
          enterKeyHint="send"
          onChange={(event) => {
            onText(event.target.value);
            // Only friends see that the user types.
            if (presence !== null && event.target.value !== "") typed(externalId);
          }}
          onKeyDown={pressed}
        />
        <button type="submit" aria-label={t("msg.send")}>
          <Send size={21} className="flip" aria-hidden="true" />
        </button>
      </form>
    </div>
  );
}

/** A stranger's only message waits for an answer; the sender is not told of a refusal. */
function RequestAsk({ thread, onAnswered }: { thread: Thread; onAnswered: () => void }): ReactNode {
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
    // The response may arrive when the user has closed this conversation or opened another one, which stays open.
    closeThread(externalId);
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

/** The partner, whether they are online, and the actions on them. */
function ThreadHead({ thread, onClose }: { thread: Thread; onClose: () => void }): ReactNode {
  const t = useT();
  const { conversation } = thread;
  const isPerson = conversation !== null && conversation.state !== "official";
  return (
    <header className={styles.head}>
      <BackArrow label={t("msg.back")} onPress={() => chooseConversation(null)} />
      {conversation ? <Who conversation={conversation} isPerson={isPerson} /> : <span className={styles.who} />}
      {isPerson && <ThreadCall conversation={conversation} />}
      {isPerson && conversation.state !== "request_in" && <PersonMenu thread={thread} conversation={conversation} />}
      <IconButton
        className={messagesStyles.onlyDesk}
        label={t("msg.close")}
        icon={<X size={22} aria-hidden="true" />}
        onClick={onClose}
      />
    </header>
  );
}

function Who({ conversation, isPerson }: { conversation: Conversation; isPerson: boolean }): ReactNode {
  const t = useT();
  const { userProfile, country_name: country } = conversation;
  const presence = useKnownPresence(conversation.presence);
  const shown = (
    <>
      <PresenceAvatar src={userProfile.avatar} name={userProfile.nick} presence={presence} sizePx={46} />
      <span>
        <b data-official={!isPerson || undefined}>
          <bdi translate="no">{userProfile.nick}</bdi>
          <Flag src={conversation.country_flag} widthPx={18} />
          {!isPerson && <OfficialMark />}
        </b>
        <small>{presence ? t(`msg.presence.${presence}`) : country}</small>
      </span>
    </>
  );
  if (!isPerson) return <span className={styles.who}>{shown}</span>;
  return (
    <button
      type="button"
      className={styles.who}
      aria-label={t("msg.profileOf", { name: isolate(userProfile.nick) })}
      onClick={() => openProfile(conversation.userId)}
    >
      {shown}
    </button>
  );
}

function PersonMenu({ thread, conversation }: { thread: Thread; conversation: Conversation }): ReactNode {
  const t = useT();
  const relation = useRelation(conversation.userId) ?? conversation;
  const person = personRef(conversation);
  const follows = relation.followStatus !== 0;
  const likes = relation.likeStatus !== 0;
  const label = t("msg.menu", { name: isolate(conversation.userProfile.nick) });
  return (
    <Menu
      label={label}
      widthPx={260}
      trigger={(trigger) => <IconButton {...trigger} label={label} icon={<Ellipsis size={22} aria-hidden="true" />} />}
    >
      <MenuItem icon={<User size={20} aria-hidden="true" />} onSelect={() => openProfile(conversation.userId)}>
        {t("msg.profile")}
      </MenuItem>
      <MenuItem
        icon={follows ? <UserCheck size={20} aria-hidden="true" /> : <UserPlus size={20} aria-hidden="true" />}
        onSelect={() => void setFollow(person, !follows)}
      >
        {t(follows ? "msg.unfollow" : "msg.follow")}
      </MenuItem>
      <MenuItem
        icon={<Heart size={20} fill={likes ? "currentColor" : "none"} aria-hidden="true" />}
        onSelect={() => void setLike(person, !likes)}
      >
        {t(likes ? "msg.unlike" : "msg.like")}
      </MenuItem>
      <MeetItem conversation={conversation} />
      <MenuSeparator />
      <MenuItem icon={<Ban size={20} aria-hidden="true" />} onSelect={() => void blockPerson(person)}>
        {t("msg.block")}
      </MenuItem>
      <MenuItem icon={<ReportFlag size={20} aria-hidden="true" />} onSelect={() => reportThread(thread)}>
        {t("msg.report")}
      </MenuItem>
    </Menu>
  );
}

/** Whether the user may write: to a friend, after an accepted request, or as the first request. */
export function canWriteIn(conversation: Conversation): boolean {
  return conversation.state === "open" || isFirstRequest(conversation);
}

/** Why nothing, or only one message, can be written; null if there is nothing to explain. */
export function whyClosed(conversation: Conversation): Extract<Key, `msg.${string}`> | null {
  switch (conversation.state) {
    case "closed":
      return isUnwritten(conversation) ? "msg.closedNew" : "msg.closed";
    case "official":
      return "msg.official";
    case "request_out":
      return isFirstRequest(conversation) ? "msg.firstRequest" : "msg.requestOut";
    case "open":
    case "request_in":
      return null;
  }
}

/** The two have met, and neither has written yet. */
function isFirstRequest(conversation: Conversation): boolean {
  return conversation.state === "request_out" && isUnwritten(conversation);
}

/** Whether the list and the thread are shown one after the other. */
function isPhoneScreen(): boolean {
  return window.matchMedia(mobileQuery).matches;
}

/** The partner of a conversation, for the actions on people. */
function personRef({ userId, externalId, userProfile }: Conversation): PersonRef {
  return { userId, externalId, nickname: userProfile.nick };
}

/** Reports the partner, with their newest message as the subject. */
function reportThread({ conversation, messages }: Thread): void {
  if (!conversation) return;
  const newest = newestOfOther(messages);
  openReport({
    userId: conversation.userId,
    nickname: conversation.userProfile.nick,
    ...(newest && { messageId: newest.id }),
  });
}
