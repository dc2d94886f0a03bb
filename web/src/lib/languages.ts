import {
  interfaceLanguages,
  type InterfaceLanguage,
  languageParameter,
  offeredLanguagesDefault,
  pickOffered,
} from "@fava/wire/languages.ts";

export { directionOf } from "@fava/wire/languages.ts";

/** A language that there is a catalog for. */
export type Language = InterfaceLanguage;

/** What this installation offers; the server has written it into the page (`server/src/edge/http/web-app.ts`). */
export function offeredLanguages(): readonly Language[] {
  if (typeof document === "undefined") return offeredLanguagesDefault;
  const told = document.querySelector('meta[name="offered-languages"]')?.getAttribute("content") ?? "";
  // Vite's own server fills nothing in.
  if (told === "" || told.startsWith("{")) return offeredLanguagesDefault;
  // Checked by the server when it starts: the script in the page's head, which asks first, needs no list of all.
  return told.split(" ") as Language[];
}

/** The languages on offer, each with its own name, in the operator's order. */
export function languageChoices(): readonly { value: Language; text: string; lang: Language }[] {
  return offeredLanguages().flatMap((value) => {
    const text = interfaceLanguages.find((language) => language.value === value)?.text;
    return text === undefined ? [] : [{ value, text, lang: value }];
  });
}

/** How a visit finds its language: the stored choice, then the address, then the browser (rule I18N-1). */
export function initialLanguage(wishes: {
  stored: string | null;
  /** The part of the address from `?` on. */
  search: string;
  /** As `navigator.languages` has them. */
  preferred: readonly string[];
}): Language {
  const offered = offeredLanguages();
  const named = new URLSearchParams(wishes.search).get(languageParameter);
  const chosen = [wishes.stored, named].flatMap((tag) => offered.find((language) => language === tag) ?? []);
  return chosen[0] ?? pickLanguage(wishes.preferred);
}

/** The first of the preferred languages that is on offer, otherwise English. */
export function pickLanguage(preferred: readonly string[]): Language {
  return pickOffered(preferred, offeredLanguages());
}
