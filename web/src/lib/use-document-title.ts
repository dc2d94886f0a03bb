import { useEffect } from "react";
import { badgeText } from "#lib/format.ts";
import { t, useLanguage } from "#lib/i18n.ts";

/** The number before the name of the current page. */
let badge = 0;

/** Sets the title of the browser tab while the component is mounted. */
export function useDocumentTitle(title: string): void {
  // A change of language resets the app's title, even if the text of this page stays the same.
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

/** Keeps a number before the title of any page; 0 for none. */
export function useTitleBadge(count: number): void {
  const language = useLanguage();
  useEffect(() => {
    badge = count;
    document.title = withBadge(document.title, count);
  }, [count, language]);
}

/** "(3) Fava": the title with the number in front, replacing an earlier one. */
export function withBadge(title: string, count: number): string {
  const plain = title.replace(/^\(\d+\+?\) /, "");
  return count > 0 ? `(${badgeText(count)}) ${plain}` : plain;
}
