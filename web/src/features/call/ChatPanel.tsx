import { Send } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { chatMessageLengthMax, typingRepeatMs } from "@fava/wire/limits.ts";
import { sharedText } from "#features/people/shared-tags.ts";
import { onSocialMessage, tellTyping } from "#features/people/social-messages.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Key, type Translate, useT } from "#lib/i18n.ts";
import type { InRoom } from "./call-state.ts";
import { sendChatMessage } from "./call.ts";
import type { ChatLine, LineState } from "./chat-log.ts";
import styles from "./ChatPanel.module.css";

/** The counter appears when this few letters are left. */
const counterFrom = 50;

/** Ways to begin, on a desktop, where the empty panel has the room. */
const openers = ["call.opener.1", "call.opener.2", "call.opener.3"] as const satisfies readonly Key[];

/** The text chat of the call: Enter sends and then clears, Shift+Enter begins a new line (rule CHAT-1). */
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
  const { remote } = room.match;
  const [text, setText] = useState("");
  const { isTyping, typed, heard } = useTyping(remote.external_id);
  const heardLines = lines.filter(({ from }) => from === "other").length;
  useEffect(heard, [heard, heardLines]);
  const isUnbegun = lines.length === 0 && (text === "" || openers.some((key) => t(key) === text));
  const shared = sharedText(t, remote.shared);
  const left = chatMessageLengthMax - text.length;
  function send(): void {
    const line = text.trim();
    if (line === "") return;
    sendChatMessage(line);
    setText("");
  }
  function begin(opener: string): void {
    setText(opener);
    composer.current?.focus();
  }
  function pressed(event: KeyboardEvent): void {
    // While an input method composes, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }
  return (
    <section className={styles.chat} aria-label={t("call.chat")}>
      <ChatLog lines={lines} />
      {isUnbegun && room.status === "in-call" && shared !== null && <p className={styles.shared}>{shared}</p>}
      {isUnbegun && room.status === "in-call" && <Openers onPick={begin} />}
      <p className={styles.typing}>{isTyping && t("msg.isTyping", { name: isolate(remote.nickname) })}</p>
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
        }}
      >
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
        <button type="submit" aria-label={t("call.send")}>
          <Send size={20} className="flip" aria-hidden="true" />
        </button>
      </form>
    </section>
  );
}

/** A press puts one into the field, where it can still be changed; nothing is sent (rule CHAT-6). */
function Openers({ onPick }: { onPick: (text: string) => void }): ReactNode {
  const t = useT();
  return (
    <div className={styles.openers}>
      {openers.map((key) => (
        <button key={key} type="button" onClick={() => onPick(t(key))}>
          {t(key)}
        </button>
      ))}
    </div>
  );
}

function ChatLog({ lines }: { lines: readonly ChatLine[] }): ReactNode {
  const t = useT();
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // An empty one has nowhere to go, and to ask how high it is would lay out the page anew.
    if (lines.length > 0) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [lines]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards reach what scrolled away only by a focus
    <div ref={log} className={styles.log} role="log" tabIndex={0} aria-label={t("call.chat")}>
      {lines.map((line) => (
        <div key={`${line.from} ${line.id}`} className={styles.line} data-from={line.from}>
          <p dir="auto" data-state={line.from === "me" ? line.state : undefined}>
            {line.text}
          </p>
          {line.from === "me" && <LineNote line={line} />}
        </div>
      ))}
    </div>
  );
}

/** What became of an own line: not sent, not allowed, or not as it was written (rules SAFE-240, SAFE-241). */
function LineNote({ line }: { line: { id: string; text: string } & LineState }): ReactNode {
  const t = useT();
  switch (line.state) {
    case "sending":
      return null;
    case "sent":
      return line.told && <small data-told>{t(`call.line.${line.told}`)}</small>;
    case "failed":
      return (
        <small>
          {t("call.line.failed")}{" "}
          <button type="button" onClick={() => sendChatMessage(line.text, line.id)}>
            {t("common.retry")}
          </button>
        </small>
      );
    case "refused":
      return <small>{refusal(line, t)}</small>;
  }
}

function refusal({ why, until }: Extract<LineState, { state: "refused" }>, t: Translate): string {
  if (why === "abusive") return t("call.line.abusive");
  return until > 0 ? t("call.line.mutedUntil", { time: formatTime(until) }) : t("call.line.muted");
}

/** Whether the other of a call writes, and how to tell them that this one does: at most every `typingRepeatMs` (rule CHAT-5). */
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
    tellTyping(externalId);
  }, [externalId]);
  const heard = useCallback(() => setTyping(false), []);
  return { isTyping, typed, heard };
}
