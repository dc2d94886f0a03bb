import { initialLanguage } from "#lib/languages.ts";
import { judgeShell, leaveEarly, notePress, shellFits, shellName } from "#lib/shell.ts";
import { nextTask } from "#lib/when-idle.ts";
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

/** Parts of a page whose fonts come together: small enough for one task on a slow phone. */
const fontParts = "#page :is(header, section, fieldset, footer, nav)";
/** A page in a tab behind others is not painted. */
const paintWithinMs = 1_000;

/** Chromium may not say that it is idle for as long as a font is on its way. */
const idleWithinMs = 2_000;

const unpaintedKinds = ["icon", "manifest"];
/** Each fetches one of them after all. */
const setAside: (() => void)[] = [];

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
document.addEventListener("click", leaveEarly);
document.addEventListener("keydown", leaveEarly);
document.addEventListener("DOMContentLoaded", () => {
  if (!shellFits()) return startScript();
  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, startScript, { once: true });
  setUnpaintedAside();
  setTimeout(goOn, paintWithinMs);
  // The background alone may be painted before.
  const whenPainted = (paints: PerformanceObserverEntryList) => {
    if (paints.getEntriesByName("first-contentful-paint").length > 0) goOn();
  };
  new PerformanceObserver(whenPainted).observe({ type: "paint", buffered: true });
});

/** What a browser fetches as soon as a page is read, though nothing of it is painted; robots find it in the page. */
function setUnpaintedAside(): void {
  for (const kind of unpaintedKinds)
    for (const link of document.querySelectorAll<HTMLLinkElement>(`link[rel="${kind}"]`)) {
      link.rel = `later-${kind}`;
      setAside.push(() => (link.rel = kind));
    }
}

let isPainted = false;

/** With what the first paint has not waited for. */
function goOn(): void {
  if (isPainted) return;
  isPainted = true;
  for (const fetchNow of setAside.splice(0)) fetchNow();
  void showFonts();
  // Safari does not tell when it is idle.
  if (typeof requestIdleCallback === "undefined") setTimeout(startScript);
  else requestIdleCallback(startScript, { timeout: idleWithinMs });
}

/**
 * Part after part, each in a task of its own, since a page whose fonts change is laid out anew; whatever cannot be loaded
 * stays as its stand-in, and nothing moves meanwhile.
 */
async function showFonts(): Promise<void> {
  const words = document.body.textContent;
  const families = ["Inter Variable", "Bricolage Grotesque Variable"];
  await Promise.allSettled(families.map((family) => document.fonts.load(`1em "${family}"`, words)));
  // What lies within others comes before them.
  const parts = [...document.querySelectorAll<HTMLElement>(fontParts)].reverse();
  for (const part of parts) {
    await nextTask();
    part.dataset.fonts = "now";
    // Laid out here, otherwise all parts are with the next picture.
    void part.offsetHeight;
  }
  await nextTask();
  delete document.documentElement.dataset.fonts;
  for (const part of parts) delete part.dataset.fonts;
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
    await nextTask();
  }
}
