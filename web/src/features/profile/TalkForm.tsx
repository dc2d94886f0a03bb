import { Plus, X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { interestsMax, spokenLanguagesMax } from "@fava/wire/limits.ts";
import { interests, signLanguage, spokenLanguageId, spokenLanguages, type Talk } from "@fava/wire/talk.ts";
import { interestName, spokenName } from "#features/people/shared-tags.ts";
import { formatNumber } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Select } from "#ui/Select.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Switch } from "#ui/Switch.tsx";
import { showToast } from "#ui/toast-store.ts";
import type { TalkEdit } from "./use-talk-edit.ts";
import { SaveChanges } from "./SaveChanges.tsx";
import styles from "./Talk.module.css";

const signLanguageId = spokenLanguages.indexOf(signLanguage);

/** Which languages and interests somebody chooses to talk in and about (rules TALK-22 to TALK-24). */
export function TalkForm({ talk }: { talk: TalkEdit }): ReactNode {
  const t = useT();
  const { draft } = talk;
  if (talk.failed) return <LoadFailure text={t("talk.loadFailed")} onRetry={talk.reload} />;
  if (!draft) return <Skeleton height="320px" />;
  return (
    <div className={styles.form}>
      <Languages draft={draft} onChange={(languages) => talk.change({ languages })} />
      <TagList
        title={t("talk.interests")}
        add={t("talk.addInterest")}
        chosen={draft.interests}
        count={interests.length}
        max={interestsMax}
        nameOf={(id) => interestName(t, id)}
        onChange={(chosen) => talk.change({ interests: chosen })}
      />
      <Switch
        checked={draft.prefer === 1}
        hint={t("talk.preferHint")}
        onChange={(on) => talk.change({ prefer: on ? 1 : 0 })}
      >
        {t("talk.prefer")}
      </Switch>
    </div>
  );
}

/** Those of the browser are offered, and count only once they are pressed. */
function Languages({ draft, onChange }: { draft: Talk; onChange: (chosen: number[]) => void }): ReactNode {
  const t = useT();
  const { languages } = draft;
  const ofBrowser = navigator.languages.flatMap((tag) => spokenLanguageId(tag) ?? []);
  const isFull = languages.length >= spokenLanguagesMax;
  const offered = isFull ? [] : [...new Set(ofBrowser)].filter((id) => !languages.includes(id));
  return (
    <TagList
      title={t("talk.languages")}
      add={t("talk.addLanguage")}
      chosen={languages}
      count={spokenLanguages.length}
      max={spokenLanguagesMax}
      nameOf={(id) => spokenName(t, id)}
      onChange={onChange}
    >
      {offered.length > 0 && (
        <div className={styles.offered}>
          <small>{t("talk.fromBrowser")}</small>
          {offered.map((id) => (
            <button
              key={id}
              type="button"
              className={styles.offer}
              aria-label={t("talk.add", { name: spokenName(t, id) })}
              onClick={() => onChange([...languages, id])}
            >
              <Plus size={16} aria-hidden="true" />
              <span>{spokenName(t, id)}</span>
            </button>
          ))}
        </div>
      )}
      {languages.includes(signLanguageId) && (
        <p className={styles.hint}>
          <b>{t("talk.sign")}</b>
          <span>{t("talk.signHint")}</span>
        </p>
      )}
    </TagList>
  );
}

/** What was chosen, in the order in which it was: a press takes it out, and the list below adds to it. */
function TagList(props: {
  title: string;
  /** Label of the list, and its first line. */
  add: string;
  chosen: readonly number[];
  /** Ids are below this. */
  count: number;
  max: number;
  nameOf: (id: number) => string;
  onChange: (chosen: number[]) => void;
  children?: ReactNode;
}): ReactNode {
  const t = useT();
  const id = useId();
  const { chosen, nameOf, onChange } = props;
  const left = Array.from(Array(props.count).keys()).filter((one) => !chosen.includes(one));
  const options = left
    .map((one) => ({ value: String(one), text: nameOf(one) }))
    .toSorted((one, other) => one.text.localeCompare(other.text));
  return (
    <section className={styles.part} aria-labelledby={id}>
      <span className={styles.head}>
        <h3 id={id}>{props.title}</h3>
        <small>{t("talk.upTo", { max: formatNumber(props.max) })}</small>
      </span>
      {chosen.length === 0 ? (
        <p className={styles.none}>{t("talk.none")}</p>
      ) : (
        <ul className={styles.chosen}>
          {chosen.map((one) => (
            <li key={one}>
              <button
                type="button"
                className={styles.tag}
                aria-label={t("talk.remove", { name: nameOf(one) })}
                onClick={() => onChange(chosen.filter((other) => other !== one))}
              >
                <span>{nameOf(one)}</span>
                <X size={16} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {props.children}
      {chosen.length < props.max && (
        <Select
          hideLabel
          label={props.add}
          value=""
          options={[{ value: "", text: props.add }, ...options]}
          onChange={(value) => value !== "" && onChange([...chosen, Number(value)])}
        />
      )}
    </section>
  );
}

/** Why it is not saved; nothing where it can be. */
const statusKeys: Readonly<Partial<Record<TalkEdit["status"], Key>>> = {
  failed: "profile.saveFailed",
  "too-often": "talk.tooOften",
};

/** Saves what was chosen. */
export function TalkSaveBar({ talk, onSaved }: { talk: TalkEdit; onSaved: () => void }): ReactNode {
  const t = useT();
  async function save(): Promise<void> {
    if (!talk.isChanged || !(await talk.save())) return;
    showToast({ type: "success", text: t("profile.saved") });
    onSaved();
  }
  const why = talk.isChanged ? statusKeys[talk.status] : "profile.nothing";
  return (
    <SaveChanges
      why={why === undefined ? "" : t(why)}
      isWrong={talk.isChanged && why !== undefined}
      isOff={!talk.isChanged}
      isSaving={talk.status === "saving"}
      onPress={() => void save()}
    />
  );
}
