import { chatMessageLengthMax, typingRepeatMs } from "@fava/wire/limits.ts";
import { hasVisibleSign } from "@fava/wire/visible-text.ts";
import { MessageCircleQuestionMark, Send, SmilePlus } from "lucide-react";
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { ReactionRow } from "#features/call/play/ReactionRow.tsx";
import { setReactionRowOpen, useIsReactionRowOpen } from "#features/call/play/reactions.ts";
import { canBothSign, sharedText } from "#features/people/shared-tags.ts";
import { onSocialMessage, sendTyping } from "#features/people/social-messages.ts";
import { isComposing } from "#lib/composing.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { setMediaOption, useMediaOptions } from "#lib/media/media-options.ts";
import { useIsSmallWindow } from "#lib/use-media-query.ts";
import { Switch } from "#ui/Switch.tsx";
import { ChatLog } from "./ChatLog.tsx";
import styles from "./ChatPanel.module.css";
import { ChatTray } from "./ChatTray.tsx";
import type { ChatLine } from "./chat-log.ts";
import { closeIcebreakers, openIcebreakers, useIcebreakers } from "./icebreakers.ts";

/** The counter appears when this many letters are left. */
const counterFrom = 50;

/** The text chat of the call: Enter sends the line and clears the field, Shift+Enter starts a new line. */
export const ChatPanel = memo(function ChatPanel({
  room,
  lines,
  composer,
}: {
  room: InRoom;
  lines: readonly ChatLine[];
  composer: RefObject<HTMLTextAreaElement | null>;
}): ReactNode {
  const t = useT();
  const { sendChatMessage } = useCallRuntime();
  const { remote } = room.match;
  const [text, setText] = useState("");
  const [picked, setPicked] = useState("");
  const isSmall = useIsSmallWindow();
  const { isTyping, typed, heard } = useTyping(remote.external_id);
  const heardLines = lines.filter(({ from }) => from === "other").length;
  useEffect(heard, [heard, heardLines]);
  const isUnbegun = room.status === "in-call" && lines.length === 0 && (text === "" || text === picked);
  const questionsButton = useRef<HTMLButtonElement>(null);
  const isReacting = useIsReactionRowOpen();
  const shared = sharedText(t, remote.shared);
  const left = chatMessageLengthMax - text.length;
  function send(): void {
    const line = text.trim();
    if (!hasVisibleSign(line)) return;
    sendChatMessage(line);
    setText("");
  }
  /** Puts a question into the field; keeps text that the user wrote. */
  function ask(question: string): void {
    const isOwn = text !== "" && text !== picked;
    const next = isOwn ? `${text.trimEnd()} ${question}` : question;
    if (next.length <= chatMessageLengthMax) setText(next);
    setPicked(question);
    closeIcebreakers();
    composer.current?.focus();
  }
  useEffect(() => {
    // On a small screen an incoming line replaces the questions.
    if (isSmall && heardLines > 0) closeIcebreakers();
  }, [isSmall, heardLines]);
  function pressed(event: KeyboardEvent): void {
    // While an input method composes, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    send();
  }
  return (
    <section className={styles.chat} data-column aria-label={t("call.chat")}>
      {isUnbegun && shared !== null && (
        <div className={styles.shared} data-fades="over-picture">
          <p>{shared}</p>
          {canBothSign(remote.shared) && <SignOffer />}
        </div>
      )}
      <ChatLog room={room} lines={lines} />
      <ChatTray room={room} isUnbegun={isUnbegun} onPick={ask} button={questionsButton} />
      <p className={styles.typing}>{isTyping && t("msg.isTyping", { name: isolate(remote.nickname) })}</p>
      {text.trim() !== "" && !hasVisibleSign(text) && (
        <p className={styles.left} role="status">
          {t("refused.invisible_text")}
        </p>
      )}
      {left <= counterFrom && (
        <p className={styles.left} role="status">
          {t("call.lettersLeft", { n: left, count: formatNumber(left) })}
        </p>
      )}
      {isReacting && !isSmall && <ReactionRow takesFocus />}
      <form
        className={styles.composer}
        data-fades="over-picture"
        onSubmit={(event) => {
          event.preventDefault();
          send();
          composer.current?.focus();
        }}
      >
        <QuestionsButton button={questionsButton} />
        <textarea
          ref={composer}
          rows={1}
          dir="auto"
          value={text}
          maxLength={chatMessageLengthMax}
          placeholder={t("call.placeholder")}
          aria-label={t("call.placeholder")}
          enterKeyHint="send"
          onChange={(event) => {
            setText(event.target.value);
            typed();
          }}
          onKeyDown={pressed}
        />
        {!isSmall && <ReactionsButton />}
        <button type="submit" className={styles.send} aria-label={t("call.send")}>
          <Send size={20} className="flip" aria-hidden="true" />
        </button>
      </form>
    </section>
  );
});

/** Opens the questions, and on a phone the reactions above them. */
function QuestionsButton({ button }: { button: RefObject<HTMLButtonElement | null> }): ReactNode {
  const t = useT();
  const isSmall = useIsSmallWindow();
  const { isOpen } = useIcebreakers();
  useFocusBack(isOpen, button);
  const label = t(isSmall ? "call.reactAsk" : "call.askOpen");
  const Icon = isSmall ? SmilePlus : MessageCircleQuestionMark;
  return (
    <button
      ref={button}
      type="button"
      className={styles.ask}
      aria-label={label}
      title={label}
      aria-expanded={isOpen}
      aria-keyshortcuts="I"
      onClick={() => {
        setReactionRowOpen(false);
        if (isOpen) closeIcebreakers();
        else openIcebreakers();
      }}
    >
      <Icon size={20} aria-hidden="true" />
    </button>
  );
}

function ReactionsButton(): ReactNode {
  const t = useT();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = useIsReactionRowOpen();
  useFocusBack(isOpen, button);
  return (
    <button
      ref={button}
      type="button"
      className={styles.react}
      aria-label={t("call.react")}
      title={t("call.react")}
      aria-expanded={isOpen}
      onClick={() => {
        closeIcebreakers();
        setReactionRowOpen(!isOpen);
      }}
    >
      <SmilePlus size={20} aria-hidden="true" />
    </button>
  );
}

/** Returns the focus to the button when a key closes the questions. */
function useFocusBack(isOpen: boolean, button: RefObject<HTMLButtonElement | null>): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, button]);
}

/** If both users chose a sign language, offers to send local video that is clear enough to read signs. */
function SignOffer(): ReactNode {
  const t = useT();
  const { signs } = useMediaOptions();
  return (
    <Switch checked={signs} hint={t("options.signsHint")} onChange={(on) => setMediaOption("signs", on)}>
      {t("options.signs")}
    </Switch>
  );
}

/**
 * Whether the partner is typing, and a function that tells them that the user is, at most every `typingRepeatMs`.
 */
function useTyping(externalId: string): { isTyping: boolean; typed: () => void; heard: () => void } {
  const [isTyping, setTyping] = useState(false);
  const toldAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onSocialMessage((frame) => {
      if (frame.type !== "typing" || frame.externalId !== externalId) return;
      setTyping(true);
      clearTimeout(timer);
      timer = setTimeout(() => setTyping(false), 2 * typingRepeatMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
      setTyping(false);
    };
  }, [externalId]);
  const typed = useCallback(() => {
    if (performance.now() - toldAtMs.current < typingRepeatMs) return;
    toldAtMs.current = performance.now();
    sendTyping(externalId);
  }, [externalId]);
  const heard = useCallback(() => setTyping(false), []);
  return { isTyping, typed, heard };
}
