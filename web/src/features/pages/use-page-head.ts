import { useEffect } from "react";
import { describe } from "#lib/document-head.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { foundPages, headOf, type FoundPath } from "./found-pages.ts";

/** Names and describes a page that is to be found, while the component is there (rule FOUND-1). */
export function usePageHead(path: FoundPath): void {
  const t = useT();
  const language = useLanguage();
  useDocumentTitle(t(foundPages[path].title));
  const { description } = headOf(path, t);
  useEffect(() => {
    describe(description);
    return () => describe(t("app.description"));
  }, [description, language, t]);
}
