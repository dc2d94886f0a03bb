/** The page's worker is at the root of the site, so that it sees every address; it answers very few of them. */
export const workerPath = "/sw.js";

/** Where the web app manifest of a language is. */
export function manifestPath(language: string): string {
  return `/manifest/${language}.webmanifest`;
}
