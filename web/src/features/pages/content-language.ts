import { createContext, use } from "react";
import type { Language } from "#lib/languages.ts";

/** The language of the text of a static page: English if there is none in the reader's language. */
export const ContentLanguage = createContext<Language>("en");

export function useContentLanguage(): Language {
  return use(ContentLanguage);
}
