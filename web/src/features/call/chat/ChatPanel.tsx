import { chatMessageLengthMax, typingRepeatMs } from "@fava/wire/limits.ts";
import { hasVisibleSign } from "@fava/wire/visible-text.ts";
import { MessageCircleQuestionMark, Send } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { canBothSign, sharedText } from "#features/people/shared-tags.ts";
import { onSocialMessage, sendTyping } from "#features/people/social-messages.ts";
import { isComposing } from "#lib/composing.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { loadIcebreakers, useLanguage, useT } from "#lib/i18n.ts";
import type { Language } from "#lib/languages.ts";
import { setMediaOption, useMediaOptions } from "#lib/media/media-options.ts";
import { useIsSmallWindow } from "#lib/use-media-query.ts";
import { Switch } from "#ui/Switch.tsx";
import { ChatLog } from "./ChatLog.tsx";
import styles from "./ChatPanel.module.css";
import type { ChatLine } from "./chat-log.ts";
import {
  closeIcebreakers,
  icebreakerKeys,
  icebreakersMs,
  noteIcebreakersSeen,
  openIcebreakers,
  resetIcebreakers,
  setIcebreakersOff,
  useIcebreakers,
} from "./icebreakers.ts";

/** The counter appears when this many letters are left. */
const counterFrom = 50;

/** The text chat of the call: Enter sends the line and clears the field, Shift+Enter starts a new line. */
export function ChatPanel({
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
  const questions = useQuestions(room, isUnbegun);
  const questionsButton = useRef<HTMLButtonElement>(null);
  useFocusBack(questions.isOpen, questionsButton);
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
      <ChatLog room={room} lines={lines} />
      {isUnbegun && shared !== null && (
        <p className={styles.shared} data-fades="over-picture">
          {shared}
        </p>
      )}
      {isUnbegun && canBothSign(remote.shared) && <SignOffer />}
      {questions.texts.length > 0 && (
        <Questions
          {...questions}
          isRow={isSmall}
          onPick={ask}
          onOff={(isOff) => {
            setIcebreakersOff(isOff);
            questionsButton.current?.focus();
          }}
        />
      )}
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
      <form
        className={styles.composer}
        data-fades="over-picture"
        onSubmit={(event) => {
          event.preventDefault();
          send();
          composer.current?.focus();
        }}
      >
        <button
          ref={questionsButton}
          type="button"
          className={styles.ask}
          aria-label={t("call.askOpen")}
          title={t("call.askOpen")}
          aria-expanded={questions.isOpen}
          aria-keyshortcuts="I"
          onClick={questions.isOpen ? closeIcebreakers : openIcebreakers}
        >
          <MessageCircleQuestionMark size={20} aria-hidden="true" />
        </button>
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
        <button type="submit" className={styles.send} aria-label={t("call.send")}>
          <Send size={20} className="flip" aria-hidden="true" />
        </button>
      </form>
    </section>
  );
}

interface ShownQuestions {
  readonly texts: readonly string[];
  /** The user asked for the questions. */
  readonly isOpen: boolean;
  readonly isOff: boolean;
}

/**
 * The questions to show: in the first half minute of a call while the chat is empty and the video stays uncovered,
 * unless the user switched them off; and whenever the user asks for them. Their texts are loaded with the call.
 */
function useQuestions(room: InRoom, isUnbegun: boolean): ShownQuestions {
  const t = useT();
  const { isOpen, isOff, turn } = useIcebreakers();
  const { roomId, remote } = room.match;
  const isEarly = useEarly(room.status === "in-call" ? room.startedAtMs : null);
  const areThere = useQuestionTexts(turn);
  const isSmall = useIsSmallWindow();
  const comesUnasked = areThere && isUnbegun && isEarly && !isOff && !isSmall;
  const isShown = comesUnasked || (areThere && isOpen);
  useEffect(() => resetIcebreakers, [roomId]);
  useEffect(() => {
    if (comesUnasked) noteIcebreakersSeen();
  }, [comesUnasked]);
  const keys = isShown ? icebreakerKeys({ roomId, shared: remote.shared }, turn) : [];
  return { texts: keys.map((key) => t(key)), isOpen, isOff };
}

/** Whether a call that started at this time (milliseconds since the epoch) is still in its first half minute. */
function useEarly(startedAtMs: number | null): boolean {
  const [over, setOver] = useState<number | null>(null);
  useEffect(() => {
    if (startedAtMs === null) return undefined;
    const timer = setTimeout(() => setOver(startedAtMs), startedAtMs + icebreakersMs - Date.now());
    return () => clearTimeout(timer);
  }, [startedAtMs]);
  return startedAtMs !== null && over !== startedAtMs;
}

/** Whether the texts of the questions are loaded in the active language; after a failure the next turn tries again. */
function useQuestionTexts(turn: number): boolean {
  const language = useLanguage();
  const [loaded, setLoaded] = useState<Language | null>(null);
  useEffect(() => {
    let isWanted = true;
    loadIcebreakers(language).then(
      () => isWanted && setLoaded(language),
      // The chat works without them.
      () => isWanted && setLoaded(null),
    );
    return () => {
      isWanted = false;
    };
  }, [language, turn]);
  return loaded === language;
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
    <div className={styles.signs} data-fades="over-picture">
      <Switch checked={signs} hint={t("options.signsHint")} onChange={(on) => setMediaOption("signs", on)}>
        {t("options.signs")}
      </Switch>
    </div>
  );
}

/**
 * Buttons that put a question into the field, where it can still be edited; nothing is sent. `isRow`: they are laid out
 * in a row, whose arrow keys move the focus as well.
 */
function Questions(
  props: ShownQuestions & { isRow: boolean; onPick: (text: string) => void; onOff: (isOff: boolean) => void },
): ReactNode {
  const t = useT();
  const { texts, isOpen, isOff, isRow, onPick, onOff } = props;
  const group = useRef<HTMLDivElement>(null);
  const first = texts[0];
  useEffect(() => {
    if (isOpen) group.current?.querySelector("button")?.focus();
  }, [isOpen, first]);
  function pressed(event: KeyboardEvent): void {
    const step = stepOf(event.key, isRow);
    const buttons = [...(group.current?.querySelectorAll("button") ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    if (step === 0 || at === -1) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  }
  return (
    <div
      ref={group}
      className={styles.questions}
      data-fades="over-picture"
      data-sideways={isRow || undefined}
      role="group"
      aria-label={t("call.askTitle")}
    >
      {texts.map((text) => (
        <button key={text} type="button" data-arrows onKeyDown={pressed} onClick={() => onPick(text)}>
          {text}
        </button>
      ))}
      <button type="button" data-arrows className={styles.off} onKeyDown={pressed} onClick={() => onOff(!isOff)}>
        {t(isOff ? "call.askOn" : "call.askOff")}
      </button>
    </div>
  );
}

/** By how many questions a key moves the focus. */
function stepOf(key: string, isRow: boolean): number {
  const isRightToLeft = document.documentElement.dir === "rtl";
  if (key === "ArrowDown" || (isRow && key === (isRightToLeft ? "ArrowLeft" : "ArrowRight"))) return 1;
  if (key === "ArrowUp" || (isRow && key === (isRightToLeft ? "ArrowRight" : "ArrowLeft"))) return -1;
  return 0;
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
