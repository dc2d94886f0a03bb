import { interests, type SharedTags, signLanguage, spokenLanguages } from "@fava/wire/talk.ts";
import { currentLanguage, type Translate } from "#lib/i18n.ts";
import { languageName, listText } from "#lib/intl.ts";

/** The name of a spoken language; empty for an id of a later version. */
export function spokenName(t: Translate, id: number): string {
  const code = spokenLanguages[id];
  if (code === undefined) return "";
  return code === signLanguage ? t("talk.sign") : languageName(currentLanguage(), code);
}

/** The name of an interest; empty for an id of a later version. */
export function interestName(t: Translate, id: number): string {
  const interest = interests[id];
  return interest === undefined ? "" : t(`talk.interest.${interest}`);
}

/** The name of the topic of an hour, a language or an interest. */
export function topicName(
  t: Translate,
  { language, interest }: { language: number | null; interest: number | null },
): string {
  return language === null ? interestName(t, interest ?? -1) : spokenName(t, language);
}

/** What two users have in common, as a sentence; null: nothing. */
export function sharedText(t: Translate, shared: SharedTags | undefined): string | null {
  if (!shared) return null;
  const languages = listed(shared.languages.map((id) => spokenName(t, id)));
  const liked = listed(shared.interests.map((id) => interestName(t, id)));
  if (languages !== "" && liked !== "") return t("talk.both", { languages, interests: liked });
  if (languages !== "") return t("talk.bothSpeak", { languages });
  return liked === "" ? null : t("talk.bothLike", { interests: liked });
}

/** Whether both chose a sign language. */
export function canBothSign(shared: SharedTags | undefined): boolean {
  return shared?.languages.some((id) => spokenLanguages[id] === signLanguage) ?? false;
}

function listed(names: readonly string[]): string {
  return listText(
    currentLanguage(),
    names.filter((name) => name !== ""),
  );
}
