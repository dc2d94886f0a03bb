import { initialLanguage } from "#lib/languages.ts";
import { checkShell, followEarlyLink, noteEarlyPress, isShellCurrent, shellName } from "#lib/shell.ts";
import { nextTask } from "#lib/when-idle.ts";
import { laterPart, laterScript, pressPart } from "../vite/page-html.ts";

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

/** A page in a background tab is not painted. */
const paintWithinMs = 1_000;

/** A busy browser may report no idle time. */
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
document.addEventListener("click", press, { capture: true });
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

/** Loads what the press will need beside the script, and not after it. */
function press(event: Event): void {
  if (!noteEarlyPress(event)) return;
  preloadScript();
  for (const part of named(pressPart)) preload(part);
}

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
  preloadScript();
  for (const fetchNow of setAside.splice(0)) fetchNow();
  // Safari has no idle callback.
  if (typeof requestIdleCallback === "undefined") setTimeout(startScript);
  else requestIdleCallback(startScript, { timeout: idleWithinMs });
}

const named = (kind: string) => [...document.querySelectorAll<HTMLLinkElement>(`link[rel="${kind}"]`)];

/** The page's own script and its imports, in the page's order: the script is first. */
let script: readonly HTMLLinkElement[] = [];

function preloadScript(): void {
  if (script.length > 0) return;
  script = named(laterScript);
  for (const part of [...script, ...named(laterPart)]) preload(part);
}

function preload(part: HTMLLinkElement): void {
  const isStyle = part.href.endsWith(".css");
  if (isStyle) {
    part.as = "style";
    // As the script will request it; otherwise it is loaded twice.
    part.crossOrigin = "";
  }
  part.rel = isStyle ? "preload" : "modulepreload";
}

let isStarted = false;

/** Does nothing on pages that contain their script. */
function startScript(): void {
  if (isStarted) return;
  isStarted = true;
  preloadScript();
  const [first, ...imports] = script;
  if (first) void runInTurn([...imports, first]);
}

/** Each file in a task of its own, because on a slow phone all of them together block input. */
async function runInTurn(files: readonly HTMLLinkElement[]): Promise<void> {
  for (const { href } of files) {
    // A missing file makes the script itself fail, which comes last.
    await import(/* @vite-ignore */ href).catch(() => undefined);
    await nextTask();
  }
}
