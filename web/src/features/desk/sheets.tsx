import { Check, FolderOpen } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminFind } from "@fava/wire/endpoints/desk.ts";
import { caseTextSearchLengthMin, deskNoteLengthMax } from "@fava/wire/limits.ts";
import { type DeskPerson, labelIds } from "@fava/wire/moderation.ts";
import { request } from "#lib/api/request.ts";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useDialogShortcuts } from "#lib/use-shortcuts.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Input, TextArea } from "#ui/Field.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showDeskFailure } from "./desk-format.ts";
import type { PersonTools } from "./use-person-tools.ts";
import parts from "./Parts.module.css";
import styles from "./Sheets.module.css";

type NameOf<K extends Key> = K extends `desk.keys.${infer Name}` ? Name : never;

/** Keys with the names of their actions. */
interface KeyGroup {
  readonly title: NameOf<Key>;
  readonly keys: Readonly<Record<string, NameOf<Key>>>;
}

const keyGroups: Readonly<Record<"reports" | "pictures" | "texts", readonly KeyGroup[]>> = {
  reports: [
    { title: "move", keys: { J: "next", K: "previous", Enter: "claim", S: "skip" } },
    { title: "look", keys: { Space: "show", "← →": "moment", Z: "zoom", G: "grey", T: "transcript" } },
    { title: "decide", keys: { A: "clear", R: "reject", W: "warn", B: "forbid", C: "askAge" } },
    { title: "also", keys: { L: "label", N: "note", U: "undo", "Ctrl K": "find", "?": "sheet" } },
  ],
  pictures: [
    { title: "move", keys: { "← → ↑ ↓": "picture", V: "view", Space: "show", G: "grey" } },
    { title: "decide", keys: { A: "approve", R: "rejectPicture", U: "undo", "?": "sheet" } },
  ],
  texts: [
    { title: "move", keys: { J: "next", K: "previous" } },
    { title: "decide", keys: { A: "acceptText", R: "keepText", U: "undo", "?": "sheet" } },
  ],
};

/** Every key of the tab. */
export function KeysSheet({ of, onClose }: { of: keyof typeof keyGroups; onClose: () => void }): ReactNode {
  const t = useT();
  return (
    <Sheet title={t("desk.keys")} lead={t("desk.keys.lead")} widthPx={760} onClose={onClose}>
      <div className={styles.keys}>
        {keyGroups[of].map(({ title, keys }) => (
          <section key={title}>
            <h3>{t(`desk.keys.${title}`)}</h3>
            <dl>
              {Object.entries(keys).map(([key, name]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key === "Space" ? t("desk.key.space") : key}</kbd>
                  </dt>
                  <dd>{t(`desk.keys.${name}`)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      {/* On a phone the list scrolls, and a scrolling dialog needs an element that the keyboard can reach. */}
      <Button size="small" className={styles.close} onClick={onClose}>
        {t("common.close")}
      </Button>
    </Sheet>
  );
}

/** A few options, chosen by a press or by their digit. `isOn` and `isBusy` are for options that toggle. */
export function ChoiceSheet<Id extends number>(props: {
  title: string;
  lead: string;
  choices: readonly { id: Id; text: string; isOn?: boolean }[];
  isBusy?: boolean;
  onChoose: (id: Id) => void;
  onClose: () => void;
}): ReactNode {
  const { choices, onChoose } = props;
  useDialogShortcuts((key) => {
    const choice = choices.find(({ id }) => String(id) === key);
    if (choice) onChoose(choice.id);
    return choice !== undefined;
  });
  return (
    <Sheet title={props.title} lead={props.lead} onClose={props.onClose}>
      <ul className={styles.choices}>
        {choices.map(({ id, text, isOn }) => (
          <li key={id}>
            <button
              type="button"
              className={parts.choice}
              aria-pressed={isOn}
              aria-disabled={props.isBusy || undefined}
              onClick={() => onChoose(id)}
            >
              <Kbd>{id}</Kbd>
              <span>{text}</span>
              {isOn && <Check size={20} aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

interface PersonSheet {
  person: DeskPerson;
  tools: PersonTools;
  onClose: () => void;
}

/** Adds labels to a person or removes them; stays open for more than one. */
export function LabelSheet({ person, tools, onClose }: PersonSheet): ReactNode {
  const t = useT();
  return (
    <ChoiceSheet
      title={t("desk.labels.title", { name: isolate(person.nickname) })}
      lead={t("desk.labels.lead")}
      choices={labelIds.map((id) => ({ id, text: t(`desk.label.${id}`), isOn: person.labels.includes(id) }))}
      isBusy={tools.isBusy}
      onChoose={(id) => tools.label(id, !person.labels.includes(id))}
      onClose={onClose}
    />
  );
}

/** A note about a person that only colleagues can read. */
export function NoteSheet({ person, tools, onClose }: PersonSheet): ReactNode {
  const t = useT();
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const save = async () => {
    if (text.trim() !== "" && (await tools.note(text.trim()))) onClose();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
  };
  return (
    <Sheet
      title={t("desk.note.title", { name: isolate(person.nickname) })}
      initialFocus={field}
      onClose={onClose}
      foot={
        <Button kind="ink" block loading={tools.isBusy} disabled={text.trim() === ""} onClick={() => void save()}>
          {t("common.save")}
          <Kbd>Ctrl ↵</Kbd>
        </Button>
      }
    >
      <div className={styles.field}>
        <label htmlFor={id}>{t("desk.note.lead")}</label>
        <TextArea
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

type Found = OutputOf<typeof adminFind>;

const findLengthMax = 40;
type FindOf = "names" | "texts";
const leastLetters: Readonly<Record<FindOf, number>> = { names: 1, texts: caseTextSearchLengthMin };

interface FindEvents {
  onCase: (id: string) => void;
  onPerson: (id: number) => void;
  onClose: () => void;
}

/** Finds people by number or nickname, and cases by number or by the texts of their evidence. */
export function FindPersonSheet({ userId, ...events }: FindEvents & { userId: number }): ReactNode {
  const t = useT();
  const [text, setText] = useState("");
  const [of, setOf] = useState<FindOf>("names");
  const [found, setFound] = useState<Found | null>(null);
  const [working, setWorking] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  async function find(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim().length < leastLetters[of] || working) return;
    setWorking(true);
    try {
      setFound(await request(adminFind, { user_id: userId, text: text.trim(), of }));
    } catch (error) {
      showDeskFailure(error);
    } finally {
      setWorking(false);
    }
  }

  const label = t(of === "names" ? "desk.find.label" : "desk.find.textLabel");
  return (
    <Sheet title={t("desk.find.title")} initialFocus={field} widthPx={520} onClose={events.onClose}>
      <Segmented
        legend={t("desk.find.go")}
        hideLegend
        value={of}
        options={[
          { value: "names" as const, label: t("desk.find.open") },
          { value: "texts" as const, label: t("desk.find.texts") },
        ]}
        onChange={(value) => {
          setOf(value);
          setFound(null);
        }}
      />
      <form className={styles.find} onSubmit={(event) => void find(event)} role="search">
        <label htmlFor={id} className="visually-hidden">
          {label}
        </label>
        <Input
          ref={field}
          id={id}
          type="search"
          dir="auto"
          autoComplete="off"
          maxLength={findLengthMax}
          placeholder={label}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" kind="ink" loading={working} disabled={text.trim().length < leastLetters[of]}>
          {t("desk.find.go")}
        </Button>
      </form>
      <div aria-live="polite">{found && <Results found={found} {...events} />}</div>
    </Sheet>
  );
}

function Results({ found, onCase, onPerson, onClose }: FindEvents & { found: Found }): ReactNode {
  const t = useT();
  const { people, cases, excerpts } = found;
  if (people.length === 0 && cases.length === 0) return <p className={styles.none}>{t("desk.find.none")}</p>;
  const then = (open: () => void) => () => {
    open();
    onClose();
  };
  return (
    <ul className={styles.results}>
      {cases.map((row, index) => (
        <li key={row.id}>
          <button type="button" onClick={then(() => onCase(row.id))}>
            <FolderOpen size={22} aria-hidden="true" />
            <span>
              <b>
                {isolate(row.no)} · {t(`reason.report.${row.reason_id}`)}
              </b>
              <small dir="auto" translate="no">
                {row.person.nickname}
              </small>
              {excerpts[index] !== undefined && (
                <span className={styles.excerpt} dir="auto">
                  {excerpts[index]}
                </span>
              )}
            </span>
          </button>
        </li>
      ))}
      {found.is_partial && <li className={styles.none}>{t("desk.find.partial")}</li>}
      {people.map((person) => (
        <li key={person.user_id}>
          <button type="button" onClick={then(() => onPerson(person.user_id))}>
            <Avatar src={person.avatar} name={person.nickname} sizePx={40} />
            <span>
              <b dir="auto" translate="no">
                {person.nickname}
              </b>
              <small>{isolate(person.user_no)}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
