import { initialLanguage } from "#lib/languages.ts";
import { checkShell, followEarlyLink, noteEarlyPress, isShellCurrent, shellName } from "#lib/shell.ts";
import { nextTask } from "#lib/when-idle.ts";
import { laterPart, laterScript } from "../vite/page-html.ts";

/**
 * Runs before the first paint, from inside the page, with as few imports as possible. Applies the stored theme and
 * hides a prerendered page that differs from what this browser will show. Starts the page's own script: with a
 * prerendered page after its paint once the browser is idle, or at the first touch.
 */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Denied, as with blocked cookies: then nothing is stored either.
    return null;
  }
}

/** Parts of a page whose fonts are applied together: small enough for one task on a slow phone. */
const fontParts = "#page :is(header, section, fieldset, footer, nav)";
/** A page in a background tab is not painted. */
const paintWithinMs = 1_000;

/** Chromium may report no idle time while a font is loading. */
const idleWithinMs = 2_000;

const unpaintedKinds = ["icon", "manifest"];
/** Each function restores one link that was set aside. */
const setAside: (() => void)[] = [];

const theme = stored("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

const { pathname, search } = location;
const language = initialLanguage({ stored: stored("language"), search, preferred: navigator.languages });
/** Keys of what changes the home screen for one user; the other pages are the same for all users. */
const personal = ["loginToken", "filterGender", "filterCountry"];
checkShell(
  shellName({ language, pathname, year: new Date().getUTCFullYear() }),
  pathname === "/" && personal.some((key) => stored(key) !== null),
);
if (isShellCurrent()) document.documentElement.dataset.fonts = "later";
document.addEventListener("click", noteEarlyPress);
document.addEventListener("click", followEarlyLink);
document.addEventListener("keydown", followEarlyLink);
document.addEventListener("DOMContentLoaded", () => {
  if (!isShellCurrent()) return startScript();
  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, startScript, { once: true });
  setUnpaintedAside();
  setTimeout(goOn, paintWithinMs);
  // A first paint may be the background alone, so wait for the first content.
  const whenPainted = (paints: PerformanceObserverEntryList) => {
    if (paints.getEntriesByName("first-contentful-paint").length > 0) goOn();
  };
  new PerformanceObserver(whenPainted).observe({ type: "paint", buffered: true });
});

/** Links that a browser loads at once, although nothing of them is painted; robots find them in the page. */
function setUnpaintedAside(): void {
  for (const kind of unpaintedKinds)
    for (const link of document.querySelectorAll<HTMLLinkElement>(`link[rel="${kind}"]`)) {
      link.rel = `later-${kind}`;
      setAside.push(() => (link.rel = kind));
    }
}

let isPainted = false;

/** Loads what was delayed until the first paint. */
function goOn(): void {
  if (isPainted) return;
  isPainted = true;
  for (const fetchNow of setAside.splice(0)) fetchNow();
  void showFonts();
  // Safari has no idle callback.
  if (typeof requestIdleCallback === "undefined") setTimeout(startScript);
  else requestIdleCallback(startScript, { timeout: idleWithinMs });
}

/**
 * Part by part, each in a task of its own, because a change of fonts lays the page out again; a font that fails to load
 * keeps its fallback, and nothing moves.
 */
async function showFonts(): Promise<void> {
  const words = document.body.textContent;
  const families = ["Inter Variable", "Bricolage Grotesque Variable"];
  await Promise.allSettled(families.map((family) => document.fonts.load(`1em "${family}"`, words)));
  // Inner parts come before the parts around them.
  const parts = [...document.querySelectorAll<HTMLElement>(fontParts)].reverse();
  for (const part of parts) {
    await nextTask();
    part.dataset.fonts = "now";
    // Forces the layout now; otherwise all parts are laid out together in the next frame.
    void part.offsetHeight;
  }
  await nextTask();
  delete document.documentElement.dataset.fonts;
  for (const part of parts) delete part.dataset.fonts;
}

let isStarted = false;

/** Does nothing on pages that contain their script. */
function startScript(): void {
  if (isStarted) return;
  isStarted = true;
  const named = (kind: string) => [...document.querySelectorAll<HTMLLinkElement>(`link[rel="${kind}"]`)];
  // The page lists the script first, and then its imports.
  const [script, ...chunks] = named(laterScript);
  for (const part of [...chunks, ...named(laterPart)]) part.rel = "modulepreload";
  if (script) void runInTurn([...chunks, script]);
}

/** Each file in a task of its own, because on a slow phone all of them together block input. */
async function runInTurn(files: readonly HTMLLinkElement[]): Promise<void> {
  for (const { href } of files) {
    // A missing file makes the script itself fail, which comes last.
    await import(/* @vite-ignore */ href).catch(() => undefined);
    await nextTask();
  }
}
