import { initialLanguage } from "#lib/languages.ts";
import { judgeShell, notePress, shellFits, shellName } from "#lib/shell.ts";
import { laterPart, laterScript } from "../vite/page-html.ts";

/**
 * Runs before anything is painted, from inside the page, and imports as little as it can: puts the stored theme on the
 * page, keeps the server's words from being seen where the page will show others, and starts the page's own script: where
 * the words stand there already, once they were painted and the browser is idle, or at the first touch.
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
if (shellFits()) document.documentElement.dataset.fonts = "later";
document.addEventListener("click", notePress);
document.addEventListener("DOMContentLoaded", () => {
  if (!shellFits()) return startScript();
  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, startScript, { once: true });
  setTimeout(goOn, paintWithinMs);
  // The background alone may be painted before.
  const whenPainted = (paints: PerformanceObserverEntryList) => {
    if (paints.getEntriesByName("first-contentful-paint").length > 0) goOn();
  };
  new PerformanceObserver(whenPainted).observe({ type: "paint", buffered: true });
});

/** With what the first paint has not waited for. */
function goOn(): void {
  void showFonts();
  // Safari does not tell when it is idle.
  if (typeof requestIdleCallback === "undefined") setTimeout(startScript);
  else requestIdleCallback(startScript);
}

/** All at once, since the page is laid out anew with each; whatever cannot be loaded stays as its stand-in. */
async function showFonts(): Promise<void> {
  const words = document.body.textContent;
  const families = ["Inter Variable", "Bricolage Grotesque Variable"];
  await Promise.allSettled(families.map((family) => document.fonts.load(`1em "${family}"`, words)));
  delete document.documentElement.dataset.fonts;
}

let isStarted = false;

/** Nothing on pages that have their script themselves. */
function startScript(): void {
  if (isStarted) return;
  isStarted = true;
  const named = (kind: string) => [...document.querySelectorAll<HTMLLinkElement>(`link[rel="${kind}"]`)];
  // The page names the script first, and then what it is made of.
  const [script, ...chunks] = named(laterScript);
  for (const part of [...chunks, ...named(laterPart)]) part.rel = "modulepreload";
  if (script) void runInTurn([...chunks, script]);
}

/** Each file in a task of its own, because on a slow phone all of them together hold up what people do. */
async function runInTurn(files: readonly HTMLLinkElement[]): Promise<void> {
  for (const { href } of files) {
    // What could not be loaded is missed by the script itself, which comes last.
    await import(/* @vite-ignore */ href).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve));
  }
}
