import type { ReactNode } from "react";
import type { OwnUser } from "@fava/wire/people.ts";
import { type TalkEdit, whyNotSaved } from "#features/profile/use-talk-edit.ts";
import { useCountries } from "#lib/countries.ts";
import { useT } from "#lib/i18n.ts";
import { SaveChanges } from "#ui/SaveChanges.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { TagList } from "#ui/TagList.tsx";
import { showToast } from "#ui/toast-store.ts";
import styles from "./PreferencesSheet.module.css";

/** The countries whose people the user does not want to meet; those of the filter cannot be among them. */
export function ExcludedCountries(props: {
  user: OwnUser;
  talk: TalkEdit;
  /** Countries that the filter names: the saved one, and the one that the user is choosing. */
  searched: readonly number[];
}): ReactNode {
  const t = useT();
  const { user, talk, searched } = props;
  const countries = useCountries();
  if (!talk.draft || countries.length === 0) return <Skeleton height="160px" />;
  const names = new Map(countries.map(({ id, languageText }) => [id, languageText]));
  if (user.country_id > 0) names.set(user.country_id, user.country_name);
  const nameOf = (id: number) => names.get(id) ?? t("talk.otherCountry");
  const ids = [...names.keys()].filter((id) => !searched.includes(id));
  const own = { id: user.country_id, text: t("talk.ownCountry", { name: user.country_name }) };
  return (
    <TagList
      title={t("talk.countries")}
      add={t("talk.addCountry")}
      chosen={talk.draft.leaves_out}
      ids={ids}
      max={talk.draft.leaves_out_max}
      nameOf={nameOf}
      first={ids.includes(own.id) ? own : undefined}
      onChange={(chosen) => talk.change({ leaves_out: chosen })}
    >
      {searched.map((id) => (
        <p key={id} className={styles.searched}>
          {t("talk.searchedCountry", { name: nameOf(id) })}
        </p>
      ))}
    </TagList>
  );
}

export function ExcludedSaveBar({ talk, onSaved }: { talk: TalkEdit; onSaved: () => void }): ReactNode {
  const t = useT();
  async function save(): Promise<void> {
    if (!talk.isChanged || !(await talk.save())) return;
    showToast({ type: "success", text: t("pref.saved") });
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
