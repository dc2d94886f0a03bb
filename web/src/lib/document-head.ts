import { languageAddress } from "@fava/wire/languages.ts";

/** Sets the description for search engines and link previews; does nothing if the page has no such element. */
export function describe(description: string): void {
  setAttribute('meta[name="description"]', "content", description);
}

/** Sets the language for link previews. */
export function setLocale(language: string): void {
  setAttribute('meta[property="og:locale"]', "content", language.replace("-", "_"));
}

/** Sets the canonical address of the page. */
export function setCanonical(pathname: string, language: string): void {
  const link = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  // It already contains the public host name of the server.
  if (link) link.href = new URL(languageAddress(pathname, language), link.href).href;
}

function setAttribute(selector: string, name: string, value: string): void {
  document.head.querySelector(selector)?.setAttribute(name, value);
}
