import {
  interfaceLanguages,
  type InterfaceLanguage,
  languageParameter,
  offeredLanguagesDefault,
  pickOffered,
} from "@fava/wire/languages.ts";

export { directionOf } from "@fava/wire/languages.ts";

/** A language with a catalog. */
export type Language = InterfaceLanguage;

/**
 * The languages that this installation offers; the server writes them into the page
 * (`server/src/edge/http/web-app.ts`).
 */
export function offeredLanguages(): readonly Language[] {
  if (typeof document === "undefined") return offeredLanguagesDefault;
  const told = document.querySelector('meta[name="offered-languages"]')?.getAttribute("content") ?? "";
  // Vite's development server leaves the placeholder.
  if (told === "" || told.startsWith("{")) return offeredLanguagesDefault;
  // The server has validated them at its start: the script in the page's head must not import the list of all
  // languages.
  return told.split(" ") as Language[];
}

/** The offered languages with their own names, in the operator's order. */
export function languageChoices(): readonly { value: Language; text: string; lang: Language }[] {
  return offeredLanguages().flatMap((value) => {
    const text = interfaceLanguages.find((language) => language.value === value)?.text;
    return text === undefined ? [] : [{ value, text, lang: value }];
  });
}

/** The language of a visit: the stored choice, then the address, then the browser's preference (rule I18N-1). */
export function initialLanguage(wishes: {
  stored: string | null;
  /** The query of the address, with its `?`. */
  search: string;
  /** As in `navigator.languages`. */
  preferred: readonly string[];
}): Language {
  const offered = offeredLanguages();
  const named = new URLSearchParams(wishes.search).get(languageParameter);
  const chosen = [wishes.stored, named].flatMap((tag) => offered.find((language) => language === tag) ?? []);
  return chosen[0] ?? pickLanguage(wishes.preferred);
}

/** The first preferred language that is offered, otherwise English. */
export function pickLanguage(preferred: readonly string[]): Language {
  return pickOffered(preferred, offeredLanguages());
}
