/**
 * A page that the server has sent with its words in it (docs/decisions/015-prerendered-pages.md). Which one it is stands
 * on the root element; `early.ts` judges, before anything is painted, whether it is what this browser will show.
 */
const stale = "stale";

/** What the shell of a page is called. `year`: of the build, since the pages show it. */
export function shellName(page: { language: string; pathname: string; year: number }): string {
  return `${page.language} ${page.pathname} ${page.year}`;
}

/** Hides a shell that shows something else than the page will: another language, or a person who is signed in. */
export function judgeShell(expected: string, isPersonal: boolean): void {
  const { dataset } = document.documentElement;
  if (dataset.shell !== undefined && (dataset.shell !== expected || isPersonal)) dataset.shell = stale;
}

/** Whether the page stands there already, and only has to come alive. */
export function shellFits(): boolean {
  const shell = document.documentElement.dataset.shell;
  return shell !== undefined && shell !== stale;
}

/** Where `early.ts` leaves the button that was pressed before anything could hear it. */
const pressed = "data-pressed-early";

/** Notes the last button that is pressed while the words stand there and the page is not alive yet. */
export function notePress({ target }: Event): void {
  const button = target instanceof Element ? target.closest("button") : null;
  if (!button || !shellFits()) return;
  pressedButton()?.removeAttribute(pressed);
  button.setAttribute(pressed, "");
}

/** A link that leaves no way back to its page. */
const leaving = "a[data-leaves]" as "a";

/** Leaves by such a link, or by Escape, while the page is not alive yet: there is no way back then, either. */
export function leaveEarly(event: MouseEvent | KeyboardEvent): void {
  if (!shellFits()) return;
  const link = "key" in event ? ofKey(event) : ofPress(event);
  if (!link) return;
  event.preventDefault();
  location.replace(link.href);
}

function ofKey({ key }: KeyboardEvent): HTMLAnchorElement | null {
  return key === "Escape" ? document.querySelector(leaving) : null;
}

function ofPress({ target }: MouseEvent): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest(leaving) : null;
}

/** The page is alive: from now on it is its own, and what was pressed before is done. */
export function takeOver(): void {
  delete document.documentElement.dataset.shell;
  const button = pressedButton();
  button?.removeAttribute(pressed);
  // Not from within an effect: React would not bring the button to life in time.
  if (button) setTimeout(() => button.click());
}

function pressedButton(): HTMLElement | null {
  return document.querySelector<HTMLElement>(`button[${pressed}]`);
}
