import { useEffect } from "react";
import { badgeText } from "#lib/format.ts";
import { t, useLanguage } from "#lib/i18n.ts";

/** Before the name of whatever page is shown. */
let badge = 0;

/** Names the page in the browser's tab while the component is there. */
export function useDocumentTitle(title: string): void {
  // A change of language writes the app's own title, even where this page's words stay the same.
  const language = useLanguage();
  useEffect(() => {
    document.title = withBadge(withName(title), badge);
    return () => {
      document.title = withBadge(t("app.title"), badge);
    };
  }, [title, language]);
}

/** The title of a page with the product's name. */
export function withName(title: string): string {
  return `${title} · Fava`;
}

/** Keeps a number before the page's name, whatever page it is; 0 for none. */
export function useTitleBadge(count: number): void {
  const language = useLanguage();
  useEffect(() => {
    badge = count;
    document.title = withBadge(document.title, count);
  }, [count, language]);
}

/** "(3) Fava": the title with the number in front, in place of one that was there. */
export function withBadge(title: string, count: number): string {
  const plain = title.replace(/^\(\d+\+?\) /, "");
  return count > 0 ? `(${badgeText(count)}) ${plain}` : plain;
}
