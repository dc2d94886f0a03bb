import type { ReactNode } from "react";
import { adminShift } from "@fava/wire/endpoints/desk.ts";
import { useT } from "#lib/i18n.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { classNames } from "#ui/class-names.ts";
import parts from "./Parts.module.css";
import styles from "./Appeals.module.css";

/** The answers that the moderator stored on the tab of the shift; empty without any, and until they are loaded. */
export function useOwnAnswers(userId: number): readonly string[] {
  return useEndpointQuery(adminShift, { user_id: userId }).data?.answers ?? [];
}

/** A button for each stored answer, which inserts it; empty without any. */
export function OwnAnswers(props: {
  answers: readonly string[];
  disabled: boolean;
  onInsert: (text: string) => void;
}): ReactNode {
  const t = useT();
  if (props.answers.every((text) => text === "")) return null;
  return (
    <div className={styles.own} role="group" aria-label={t("desk.answers")}>
      {props.answers.map(
        (text, index) =>
          text !== "" && (
            <button
              key={index}
              type="button"
              className={classNames(parts.pill, styles.ownAnswer)}
              aria-keyshortcuts={`Alt+${index + 1}`}
              disabled={props.disabled}
              title={text}
              onClick={() => props.onInsert(text)}
            >
              <span dir="auto">{beginningOf(text)}</span>
              <Kbd>{`Alt ${index + 1}`}</Kbd>
            </button>
          ),
      )}
    </div>
  );
}

const shownLetters = 40;

function beginningOf(text: string): string {
  const letters = Array.from(text);
  return letters.length <= shownLetters ? text : `${letters.slice(0, shownLetters).join("").trimEnd()}…`;
}

/** The text with `inserted` in place of the selection, cut at `lengthMax` letters; a space separates it from a word. */
export function withInserted(
  text: string,
  { inserted, start, end, lengthMax }: { inserted: string; start: number; end: number; lengthMax: number },
): string {
  const before = text.slice(0, start);
  const gap = before === "" || /\s$/u.test(before) ? "" : " ";
  const after = text.slice(end);
  const room = Math.max(0, lengthMax - before.length - after.length - gap.length);
  return before + gap + inserted.slice(0, room) + after;
}
