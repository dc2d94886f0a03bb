import { Split } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { ReactionRow } from "#features/call/play/ReactionRow.tsx";
import { TwoChoiceCard } from "#features/call/play/TwoChoiceCard.tsx";
import { useTwoChoice } from "#features/call/play/two-choice.ts";
import { useT } from "#lib/i18n.ts";
import { useIsSmallWindow } from "#lib/use-media-query.ts";
import { moveByArrow } from "./arrow-keys.ts";
import styles from "./ChatPanel.module.css";
import {
  closeIcebreakers,
  icebreakerKeys,
  icebreakersMs,
  noteIcebreakersSeen,
  resetIcebreakers,
  setIcebreakersOff,
  useIcebreakers,
  useQuestionTexts,
} from "./icebreakers.ts";

interface ChatTrayProps {
  room: InRoom;
  /** Nobody has written yet. */
  isUnbegun: boolean;
  onPick: (question: string) => void;
  /** The button that opens the questions. */
  button: RefObject<HTMLButtonElement | null>;
}

/** What is offered above the text field: a two-choice question, else the questions; on a phone also the reactions. */
export function ChatTray({ room, isUnbegun, onPick, button }: ChatTrayProps): ReactNode {
  const { askBoth } = useCallRuntime();
  const isSmall = useIsSmallWindow();
  const questions = useQuestions(room, isUnbegun);
  if (useTwoChoice() !== null) return <TwoChoiceCard key={room.match.roomId} room={room} />;
  return (
    <>
      {isSmall && questions.isOpen && <ReactionRow takesFocus={false} />}
      {questions.texts.length > 0 && (
        <Questions
          {...questions}
          isRow={isSmall}
          onPick={onPick}
          onBoth={() => {
            closeIcebreakers();
            askBoth();
          }}
          onOff={(isOff) => {
            setIcebreakersOff(isOff);
            button.current?.focus();
          }}
        />
      )}
    </>
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

/**
 * Buttons that put a question into the field, where it can still be edited; nothing is sent. One asks both users a
 * two-choice question at once. `isRow`: they are laid out
 * in a row, whose arrow keys move the focus as well.
 */
function Questions(
  props: ShownQuestions & {
    isRow: boolean;
    onPick: (text: string) => void;
    onBoth: () => void;
    onOff: (isOff: boolean) => void;
  },
): ReactNode {
  const t = useT();
  const { texts, isOpen, isOff, isRow, onPick, onBoth, onOff } = props;
  const group = useRef<HTMLDivElement>(null);
  const first = texts[0];
  useEffect(() => {
    if (isOpen) group.current?.querySelector("button")?.focus();
  }, [isOpen, first]);
  const pressed = (event: KeyboardEvent) => moveByArrow(event, group.current, isRow);
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
      <button type="button" data-arrows className={styles.both} onKeyDown={pressed} onClick={onBoth}>
        <Split size={18} aria-hidden="true" />
        {t("call.both")}
      </button>
      <button type="button" data-arrows className={styles.off} onKeyDown={pressed} onClick={() => onOff(!isOff)}>
        {t(isOff ? "call.askOn" : "call.askOff")}
      </button>
    </div>
  );
}
