import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { interestsMax, spokenLanguagesMax } from "@fava/wire/limits.ts";
import { interests, signLanguage, spokenLanguageId, spokenLanguages, type Talk } from "@fava/wire/talk.ts";
import { interestName, spokenName } from "#features/people/shared-tags.ts";
import { useT } from "#lib/i18n.ts";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { SaveChanges } from "#ui/SaveChanges.tsx";
import { Switch } from "#ui/Switch.tsx";
import { TagList } from "#ui/TagList.tsx";
import { showToast } from "#ui/toast-store.ts";
import { type TalkEdit, whyNotSaved } from "./use-talk-edit.ts";
import styles from "./Talk.module.css";

const signLanguageId = spokenLanguages.indexOf(signLanguage);

/** The languages and interests that the user chooses for conversations. */
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
        ids={[...interests.keys()]}
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

/** The browser's languages are offered, and chosen only by a press. */
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
      ids={[...spokenLanguages.keys()]}
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

export function TalkSaveBar({ talk, onSaved }: { talk: TalkEdit; onSaved: () => void }): ReactNode {
  const t = useT();
  async function save(): Promise<void> {
    if (!talk.isChanged || !(await talk.save())) return;
    showToast({ type: "success", text: t("profile.saved") });
    onSaved();
  }
  const why = whyNotSaved(talk);
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
