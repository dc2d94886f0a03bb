import { initialLanguage } from "#lib/languages.ts";
import { judgeShell, shellName } from "#lib/shell.ts";

/**
 * Runs before anything is painted, in a file of its own that imports as little as it can: puts the stored theme on the
 * page, and keeps the server's words from being seen where the page will show others.
 */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Refused, as with cookies switched off: then nothing is stored either.
    return null;
  }
}

const theme = stored("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

const { pathname, search } = location;
const language = initialLanguage({ stored: stored("language"), search, preferred: navigator.languages });
/** What the home screen shows differently; the other pages are the same for everybody. */
const personal = ["loginToken", "filterGender", "filterCountry"];
judgeShell(
  shellName({ language, pathname, year: new Date().getUTCFullYear() }),
  pathname === "/" && personal.some((key) => stored(key) !== null),
);
