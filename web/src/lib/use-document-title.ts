import { useEffect } from "react";
import { t, useLanguage } from "#lib/i18n.ts";

/** Names the page in the browser's tab while the component is there. */
export function useDocumentTitle(title: string): void {
  // A change of language writes the app's own title, even where this page's words stay the same.
  const language = useLanguage();
  useEffect(() => {
    document.title = `${title} · Fava`;
    return () => {
      document.title = t("app.title");
    };
  }, [title, language]);
}
