import { languageAddress } from "@fava/wire/languages.ts";
import { escapedText } from "./escaped-text.ts";

/** A page that is to be found, with the languages that it is offered in; English is always among them. */
export interface FoundPage {
  path: string;
  languages: readonly string[];
}

/** An address of a page for readers of a language; `x-default` is for everybody else. */
export interface Alternate {
  language: string;
  address: string;
}

/** Where the page stands in each language, the other languages' readers being sent by what their browser asks for. */
export function alternatesOf({ path, languages }: FoundPage, origin: string): readonly Alternate[] {
  const own = languages.map((language) => ({ language, address: origin + languageAddress(path, language) }));
  return [...own, { language: "x-default", address: origin + path }];
}

/** `/sitemap.xml`: every page in every language, each with its others (rule FOUND-4). */
export function siteMap(pages: readonly FoundPage[], origin: string): string {
  const entries = pages.flatMap((page) => {
    const alternates = alternatesOf(page, origin);
    const links = alternates.map(
      ({ language, address }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${escapedText(address)}"/>`,
    );
    return alternates
      .filter(({ language }) => language !== "x-default")
      .map(({ address }) => `<url><loc>${escapedText(address)}</loc>${links.join("")}</url>`);
  });
  const spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${spaces}>\n${entries.join("\n")}\n</urlset>\n`;
}

/** `/robots.txt`: pages are open, calls are not. Pages that are nobody else's say so themselves, by a header. */
export function robotsText(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /sandbox/\nSitemap: ${origin}/sitemap.xml\n`;
}
