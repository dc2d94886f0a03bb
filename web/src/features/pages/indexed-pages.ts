import type { Key, Translate } from "#lib/i18n.ts";
import { withName } from "#lib/use-document-title.ts";

/** The pages for search engines and sharing, each with its title and description. */
export const indexedPages = {
  "/": { title: "app.title", description: "app.description" },
  "/safety": { title: "page.safety", description: "found.safety" },
  "/notice": { title: "notice.title", description: "found.notice" },
  "/aboutUs": { title: "page.about", description: "found.about" },
  "/communityRules": { title: "page.rules", description: "found.rules" },
  "/transparency": { title: "transparency.title", description: "found.transparency" },
  "/userAgreement": { title: "page.terms", description: "found.terms" },
  "/privacyPolicy": { title: "page.privacy", description: "found.privacy" },
  "/accessibility": { title: "page.accessibility", description: "found.accessibility" },
} as const satisfies Record<string, { title: Key; description: Key }>;

export type IndexedPath = keyof typeof indexedPages;

/** Title and description of a page; its texts must be loaded. */
export function headOf(path: IndexedPath, t: Translate): { title: string; description: string } {
  const { title, description } = indexedPages[path];
  return { title: path === "/" ? t(title) : withName(t(title)), description: t(description) };
}
