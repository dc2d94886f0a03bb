import { Send } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect } from "react";
import { messageLengthMax } from "@fava/wire/limits.ts";
import type { Conversation } from "@fava/wire/messages.ts";
import { findPersonalData } from "@fava/wire/personal-data.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { isPhoneScreen } from "./is-phone-screen.ts";
import { say, typed } from "./messages.ts";
import footStyles from "./ThreadFoot.module.css";
import styles from "./Composer.module.css";

/** The counter appears when this few letters are left. */
const counterFrom = 100;

/** Enter sends, Shift+Enter begins a new line (rule MSG-73). */
export function Composer(props: {
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
  const hasContactData = text.trim() !== "" && findPersonalData(text).length > 0;
  useEffect(() => {
    // On a phone the keyboard would cover what was opened to be read.
    if (!isPhoneScreen()) field.current?.focus();
  }, [field]);
  function send(): void {
    const said = text.trim();
    if (said === "") return;
    say(externalId, said);
    onText("");
  }
  function pressed(event: KeyboardEvent): void {
    // While an input method composes, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }
  return (
    <div className={footStyles.foot}>
      <div role="status">
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
          // An empty field has the page's direction, as its placeholder has.
          dir={text === "" ? undefined : "auto"}
          value={text}
          maxLength={messageLengthMax}
          placeholder={label}
          aria-label={label}
          enterKeyHint="send"
          onChange={(event) => {
            onText(event.target.value);
            // Friends alone are told.
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
