import { type ReactNode, StrictMode } from "react";
import { prerender } from "react-dom/static";
import { interfaceLanguages, languageAddress } from "@fava/wire/languages.ts";
import { App } from "#app/App.tsx";
import { WaitingSheet } from "#app/WaitingSheet.tsx";
import { preloadRoute } from "#app/routes.tsx";
import { indexedPages, headOf, type IndexedPath } from "#features/pages/indexed-pages.ts";
import { activateLanguage, t } from "#lib/i18n.ts";
import { directionOf, type Language } from "#lib/languages.ts";
import { shellName } from "#lib/shell.ts";
import type { PrerenderedPage } from "../vite/page-html.ts";

export const paths = Object.keys(indexedPages) as readonly IndexedPath[];
export const pageLanguages: readonly Language[] = interfaceLanguages.map(({ value }) => value);

/** Renders a page as a new visitor sees it. The language is global in the module: one page at a time. */
export async function prerenderPage(pathname: IndexedPath, language: Language): Promise<PrerenderedPage> {
  await activateLanguage(language, { remember: false });
  await preloadRoute(pathname);
  return {
    address: languageAddress(pathname, language),
    ...headOf(pathname, t),
    pictureWords: t("found.picture"),
    direction: directionOf(language),
    shell: shellName({ language, pathname, year: new Date().getUTCFullYear() }),
    html: await htmlOf(<App pathname={pathname} />),
    sheet: pathname === "/" ? await htmlOf(<WaitingSheet />) : "",
  };
}

async function htmlOf(part: ReactNode): Promise<string> {
  // In one piece: React would otherwise send large parts separately, with a script that inserts them.
  const { prelude } = await prerender(<StrictMode>{part}</StrictMode>, {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
  });
  return new Response(prelude).text();
}
