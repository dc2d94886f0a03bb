import type { Language } from "#lib/languages.ts";
import { loadWithTimeout } from "#ui/lazy-with-timeout.ts";
import type { PageTexts } from "./page-content.ts";

export type LegalDocument = Exclude<keyof PageTexts, "about" | "safety">;

export interface PageText<Content> {
  content: Content;
  /** English if a page has no text in the language of the reader. */
  language: Language;
}

export type PageName = keyof PageTexts;
type AnyContent = PageTexts[PageName];

const loaders = import.meta.glob<{ page: AnyContent }>("../../../../content/*/*.md");
const loaded = new Map<string, Promise<PageText<AnyContent>>>();

/** The text of a static page; always the same promise, as `use` requires. Rejects with a ChunkLoadError. */
export function pageText<Name extends PageName>(name: Name, language: Language): Promise<PageText<PageTexts[Name]>> {
  const key = `${language}/${name}`;
  const known = loaded.get(key);
  const text = known ?? load(name, language);
  if (!known) {
    loaded.set(key, text);
    text.then(
      // `use` suspends on a promise that it sees for the first time, unless the promise has these two fields of
      // React's.
      (value) => Object.assign(text, { status: "fulfilled", value }),
      // A failure is not cached: the next visit tries again.
      () => loaded.delete(key),
    );
  }
  return text as Promise<PageText<PageTexts[Name]>>;
}

async function load(name: string, wanted: Language): Promise<PageText<AnyContent>> {
  const language = loaders[pathOf(wanted, name)] ? wanted : "en";
  const loader = loaders[pathOf(language, name)];
  if (!loader) throw new Error(`no text for ${name}`);
  const { page } = await loadWithTimeout(loader);
  return { content: page, language };
}

function pathOf(language: Language, name: string): string {
  return `../../../../content/${language}/${name}.md`;
}
