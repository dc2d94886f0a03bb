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

/** The page has taken over. */
export function dropShell(): void {
  delete document.documentElement.dataset.shell;
}
