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

/**
 * Notes the last button press on a shell that is not hydrated yet; returns whether it did. React must not see it,
 * because it would hydrate the whole screen in one task.
 */
export function noteEarlyPress(event: Event): boolean {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button || !isShellCurrent() || waitingSheet()?.contains(button)) return false;
  event.stopPropagation();
  pressedButton()?.removeAttribute(pressed);
  button.setAttribute(pressed, "");
  if (button.dataset["act"]) openWaitingSheet(button);
  return true;
}

/** Id of the sheet that shows at once that a press on Start was heard (`WaitingSheet.tsx`). */
export const waitingSheetId = "waiting-sheet";

function waitingSheet(): HTMLDialogElement | null {
  // A dialog is also rendered to text, in tests.
  if (typeof document === "undefined") return null;
  return document.querySelector<HTMLDialogElement>(`#${waitingSheetId}`);
}

/** A user who closes it has changed their mind about the press. */
function openWaitingSheet(button: HTMLElement): void {
  const sheet = waitingSheet();
  sheet?.addEventListener("close", () => button.removeAttribute(pressed), { once: true });
  sheet?.showModal();
}

/** Whether the user still waits for what they pressed. */
export function isWaitingSheetOpen(): boolean {
  return waitingSheet()?.open ?? false;
}

/** Called by what comes in its place. */
export function removeWaitingSheet(): void {
  const sheet = waitingSheet();
  // Removing alone would not give the focus back.
  sheet?.close();
  sheet?.remove();
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

/** The button of the act that has run. */
let acted: HTMLElement | null = null;

/**
 * Runs the act of the noted button before its screen is hydrated.
 *
 * @param acts what a button with this `data-act` does
 */
export function runEarlyAct(acts: Readonly<Record<string, () => void>>): void {
  const button = pressedButton();
  const act = acts[button?.dataset["act"] ?? ""];
  if (!act) return;
  acted = button;
  // After that a press on the same button is a new one.
  waitingSheet()?.addEventListener("close", () => (acted = null), { once: true });
  act();
}

/** The screen is hydrated: ends the shell, and repeats the noted press unless its act has run. */
export function finishHydration(): void {
  delete document.documentElement.dataset.shell;
  if (!isWaitingSheetOpen()) removeWaitingSheet();
  const button = pressedButton();
  button?.removeAttribute(pressed);
  // Not inside an effect, because React would not have attached the handler yet.
  if (button && button !== acted) setTimeout(() => button.click());
}

function pressedButton(): HTMLElement | null {
  return document.querySelector<HTMLElement>(`button[${pressed}]`);
}
