import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { deskNoteLengthMax } from "@fava/wire/limits.ts";
import type { DeskPerson } from "@fava/wire/moderation.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import type { PersonTools } from "./use-person-tools.ts";
import styles from "./NoteSheet.module.css";

/** A note about a person that only colleagues read. */
export function NoteSheet(props: { person: DeskPerson; tools: PersonTools; onClose: () => void }): ReactNode {
  const t = useT();
  const { person, tools } = props;
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const save = async () => {
    if (text.trim() !== "" && (await tools.note(text.trim()))) props.onClose();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
  };
  return (
    <Sheet
      title={t("desk.note.title", { name: isolate(person.nickname) })}
      initialFocus={field}
      onClose={props.onClose}
      foot={
        <Button kind="ink" block loading={tools.isBusy} disabled={text.trim() === ""} onClick={() => void save()}>
          {t("common.save")}
          <Kbd>Ctrl ↵</Kbd>
        </Button>
      }
    >
      <div className={styles.field}>
        <label htmlFor={id}>{t("desk.note.lead")}</label>
        <textarea
          ref={field}
          id={id}
          rows={4}
          dir="auto"
          maxLength={deskNoteLengthMax}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={pressed}
        />
      </div>
    </Sheet>
  );
}
