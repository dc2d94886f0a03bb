/**
 * The prerendered shell of a page (docs/decisions/015-prerendered-pages.md). The root element names it; before the
 * first paint, `early.ts` decides whether it matches what this browser will show.
 */
const stale = "stale";

/** The name of a page's shell. `year`: of the build, because the pages show it. */
export function shellName(page: { language: string; pathname: string; year: number }): string {
  return `${page.language} ${page.pathname} ${page.year}`;
}

/** Hides a shell that differs from what the page will show: another language, or a signed-in user. */
export function checkShell(expected: string, isPersonal: boolean): void {
  const { dataset } = document.documentElement;
  if (dataset.shell !== undefined && (dataset.shell !== expected || isPersonal)) dataset.shell = stale;
}

/** Whether the page is visible already and only has to be hydrated. */
export function isShellCurrent(): boolean {
  const shell = document.documentElement.dataset.shell;
  return shell !== undefined && shell !== stale;
}

/** Marks the button that was pressed before the page was hydrated. */
const pressed = "data-pressed-early";

/** Notes the last button press on a shell that is not hydrated yet. */
export function noteEarlyPress({ target }: Event): void {
  const button = target instanceof Element ? target.closest("button") : null;
  if (!button || !isShellCurrent()) return;
  pressedButton()?.removeAttribute(pressed);
  button.setAttribute(pressed, "");
}

/** A link that replaces the history entry of its page. */
const leaving = "a[data-leaves]" as "a";

/** Follows such a link, by press or Escape, while the page is not hydrated yet. */
export function followEarlyLink(event: MouseEvent | KeyboardEvent): void {
  if (!isShellCurrent()) return;
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

/** Whether a button was pressed before the page was hydrated. */
export function isPressedEarly(): boolean {
  return pressedButton() !== null;
}

/**
 * The page is hydrated, except for its screen: ends the shell, and repeats the noted press.
 *
 * @param acts what a button with this `data-act` does. Other buttons are clicked, for which React first hydrates the
 *   whole screen around them.
 */
export function finishHydration(acts: Readonly<Record<string, () => void>>): void {
  delete document.documentElement.dataset.shell;
  const button = pressedButton();
  button?.removeAttribute(pressed);
  if (!button) return;
  const act = acts[button.dataset["act"] ?? ""];
  // Not inside an effect, because React would not have attached the handler yet.
  setTimeout(() => (act ? act() : button.click()));
}

function pressedButton(): HTMLElement | null {
  return document.querySelector<HTMLElement>(`button[${pressed}]`);
}
