import { useEffect } from "react";
import { describe } from "#lib/document-head.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { indexedPages, headOf, type IndexedPath } from "./indexed-pages.ts";

/** Sets title and description of an indexed page while the component is mounted. */
export function usePageHead(path: IndexedPath): void {
  const t = useT();
  const language = useLanguage();
  useDocumentTitle(t(indexedPages[path].title));
  const { description } = headOf(path, t);
  useEffect(() => {
    describe(description);
    return () => describe(t("app.description"));
  }, [description, language, t]);
}
