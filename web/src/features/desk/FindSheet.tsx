import { FolderOpen } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminFind } from "@fava/wire/endpoints/desk.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { tellDeskFailure } from "./desk-format.ts";
import styles from "./FindSheet.module.css";

type Found = OutputOf<typeof adminFind>;

const textLengthMax = 40;

/** Finds people by number or nickname, and cases by their number. */
export function FindSheet(props: {
  user: OwnUser;
  onCase: (id: string) => void;
  onPerson: (id: number) => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found | null>(null);
  const [working, setWorking] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  async function find(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() === "" || working) return;
    setWorking(true);
    try {
      setFound(await call(adminFind, { user_id: props.user.user_id, text: text.trim() }));
    } catch (error) {
      tellDeskFailure(error);
    } finally {
      setWorking(false);
    }
  }

  return (
    <Sheet title={t("desk.find.title")} initialFocus={field} widthPx={520} onClose={props.onClose}>
      <form className={styles.form} onSubmit={(event) => void find(event)} role="search">
        <label htmlFor={id} className="visually-hidden">
          {t("desk.find.label")}
        </label>
        <input
          ref={field}
          id={id}
          type="search"
          dir="auto"
          autoComplete="off"
          maxLength={textLengthMax}
          placeholder={t("desk.find.label")}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" kind="ink" loading={working}>
          {t("desk.find.go")}
        </Button>
      </form>
      <div aria-live="polite">{found && <Results found={found} {...props} />}</div>
    </Sheet>
  );
}

function Results(props: {
  found: Found;
  onCase: (id: string) => void;
  onPerson: (id: number) => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const { people, cases } = props.found;
  if (people.length === 0 && cases.length === 0) return <p className={styles.none}>{t("desk.find.none")}</p>;
  const then = (act: () => void) => () => {
    act();
    props.onClose();
  };
  return (
    <ul className={styles.results}>
      {cases.map((row) => (
        <li key={row.id}>
          <button type="button" onClick={then(() => props.onCase(row.id))}>
            <FolderOpen size={22} aria-hidden="true" />
            <span>
              <b>
                {isolate(row.no)} · {t(`reason.report.${row.reason_id}`)}
              </b>
              <small dir="auto">{row.person.nickname}</small>
            </span>
          </button>
        </li>
      ))}
      {people.map((person) => (
        <li key={person.user_id}>
          <button type="button" onClick={then(() => props.onPerson(person.user_id))}>
            <Avatar src={person.avatar} name={person.nickname} sizePx={40} />
            <span>
              <b dir="auto">{person.nickname}</b>
              <small>{isolate(person.user_no)}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
