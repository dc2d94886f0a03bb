import { initialLanguage } from "#lib/languages.ts";
import { judgeShell, notePress, shellFits, shellName } from "#lib/shell.ts";
import { laterPart, laterScript } from "../vite/page-html.ts";

/**
 * Runs before anything is painted, from inside the page, and imports as little as it can: puts the stored theme on the
 * page, keeps the server's words from being seen where the page will show others, and starts the page's own script, after
 * the first paint where that paint is what people came for.
 */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Refused, as with cookies switched off: then nothing is stored either.
    return null;
  }
}

/** A page in a tab behind others is not painted. */
const paintWithinMs = 1_000;

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
document.addEventListener("click", notePress);
document.addEventListener("DOMContentLoaded", () => {
  if (!shellFits()) return startScript();
  setTimeout(startScript, paintWithinMs);
  requestAnimationFrame(() => setTimeout(startScript));
});

/** Nothing on pages that have their script themselves. */
function startScript(): void {
  const address = document.querySelector<HTMLLinkElement>(`link[rel="${laterScript}"]`);
  if (!address) return;
  address.remove();
  for (const part of document.querySelectorAll<HTMLLinkElement>(`link[rel="${laterPart}"]`)) part.rel = "modulepreload";
  const script = document.createElement("script");
  script.type = "module";
  script.src = address.href;
  document.head.append(script);
}
