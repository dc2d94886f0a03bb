import { countryById } from "@fava/wire/countries.ts";
import { spokenLanguageId, spokenLanguages } from "@fava/wire/talk.ts";
import type { Speaker } from "#ports/text-rules.ts";

/**
 * What the text rules go by of a person.
 *
 * @param language of the interface, as a tag.
 * @param talk ids of the languages that the person says they talk in.
 */
export function speakerOf(person: { countryId: number; language: string; talk: readonly number[] }): Speaker {
  const ids = [spokenLanguageId(person.language), ...person.talk];
  const languages = ids.flatMap((id) => (id === null ? [] : (spokenLanguages[id] ?? [])));
  return {
    country: countryById(person.countryId)?.code,
    languages: languages.map((language) => (language === "zh" ? "zh-CN" : language)),
  };
}
