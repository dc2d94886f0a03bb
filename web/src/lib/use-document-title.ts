import { useEffect } from "react";
import { t, useLanguage } from "#lib/i18n.ts";
import { badgeText, unreadNow, useUnread } from "#lib/unread.ts";

/** Names the page in the browser's tab while the component is there. */
export function useDocumentTitle(title: string): void {
  // A change of language writes the app's own title, even where this page's words stay the same.
  const language = useLanguage();
  useEffect(() => {
    document.title = withBadge(withName(title), unreadNow());
    return () => {
      document.title = withBadge(t("app.title"), unreadNow());
    };
  }, [title, language]);
}

/** The title of a page with the product's name. */
export function withName(title: string): string {
  return `${title} · Fava`;
}

/** Keeps the number of unread messages before the page's name, whatever page it is (rule MSG-70). */
export function useTitleBadge(): void {
  const unread = useUnread();
  const language = useLanguage();
  useEffect(() => {
    document.title = withBadge(document.title, unread);
  }, [unread, language]);
}

/** "(3) Fava": the title with the number in front, in place of one that was there. */
export function withBadge(title: string, unread: number): string {
  const plain = title.replace(/^\(\d+\+?\) /, "");
  return unread > 0 ? `(${badgeText(unread)}) ${plain}` : plain;
}
