/** The service worker is at the root of the site, so that its scope covers every page. */
export const workerPath = "/sw.js";

/** Path of the web app manifest in a language. */
export function manifestPath(language: string): string {
  return `/manifest/${language}.webmanifest`;
}
