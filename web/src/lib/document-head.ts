import { languageAddress } from "@fava/wire/languages.ts";

/** What search engines and previews say of the page; nothing happens where the page has no such element. */
export function describe(description: string): void {
  setAttribute('meta[name="description"]', "content", description);
}

/** The language that previews take the page to be in. */
export function setLocale(language: string): void {
  setAttribute('meta[property="og:locale"]', "content", language.replace("-", "_"));
}

/** The address under which the page is to be shared and found. */
export function setCanonical(pathname: string, language: string): void {
  const link = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  // The server's own name for itself stands in it already.
  if (link) link.href = new URL(languageAddress(pathname, language), link.href).href;
}

function setAttribute(selector: string, name: string, value: string): void {
  document.head.querySelector(selector)?.setAttribute(name, value);
}
