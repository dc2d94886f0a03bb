import { countryById } from "@fava/wire/countries.ts";
import { spokenLanguageId, spokenLanguages } from "@fava/wire/talk.ts";
import type { UserLocale } from "#ports/text-rules.ts";

/** `language`: tag of the interface language. `talk`: ids of the languages that the user speaks. */
export function userLocaleOf(person: { countryId: number; language: string; talk: readonly number[] }): UserLocale {
  const ids = [spokenLanguageId(person.language), ...person.talk];
  const languages = ids.flatMap((id) => (id === null ? [] : (spokenLanguages[id] ?? [])));
  return {
    country: countryById(person.countryId)?.code,
    languages: languages.map((language) => (language === "zh" ? "zh-CN" : language)),
  };
}
