import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  checkShell,
  finishHydration,
  isPressedEarly,
  isShellCurrent,
  isWaitingSheetOpen,
  noteEarlyPress,
  removeWaitingSheet,
  runEarlyAct,
  shellName,
} from "#lib/shell.ts";

/** The parts of an element that a press uses. */
class Button {
  marked = false;
  clicks = 0;
  dataset: Record<string, string> = {};
  closest = () => this;
  setAttribute = () => void (this.marked = true);
  removeAttribute = () => void (this.marked = false);
  click = () => void (this.clicks += 1);
}

/** The parts of the waiting sheet that a press uses. */
class Sheet {
  open = false;
  isRemoved = false;
  readonly closeButton = new Button();
  readonly #closed: (() => void)[] = [];
  addEventListener = (_: "close", closed: () => void) => void this.#closed.push(closed);
  contains = (button: Button) => button === this.closeButton;
  showModal = () => void (this.open = true);
  remove = () => void (this.isRemoved = true);
  close = () => {
    this.open = false;
    for (const closed of this.#closed.splice(0)) closed();
  };
}

let dataset: Record<string, string>;
let buttons: Button[];
let sheet: Sheet;

beforeEach(() => {
  vi.useFakeTimers();
  dataset = {};
  buttons = [new Button(), new Button()];
  sheet = new Sheet();
  vi.stubGlobal("Element", Button);
  vi.stubGlobal("document", {
    documentElement: { dataset },
    querySelector: (selector: string) =>
      selector === "#waiting-sheet" ? (sheet.isRemoved ? null : sheet) : (buttons.find(({ marked }) => marked) ?? null),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function press(target: Button): void {
  noteEarlyPress({ target, stopPropagation: () => undefined } as unknown as Event);
}

const home = shellName({ language: "tr", pathname: "/", year: 2026 });

test("keeps the server's page when this page will show the same", () => {
  dataset["shell"] = home;
  checkShell(home, false);
  expect(isShellCurrent()).toBe(true);
  finishHydration();
  expect(isShellCurrent()).toBe(false);
});

test("hides the server's page for another language, page or year, or a signed-in user", () => {
  for (const other of [
    { language: "en", pathname: "/", year: 2026 },
    { language: "tr", pathname: "/safety", year: 2026 },
    { language: "tr", pathname: "/", year: 2027 },
  ]) {
    dataset["shell"] = home;
    checkShell(shellName(other), false);
    expect(dataset["shell"]).toBe("stale");
    expect(isShellCurrent()).toBe(false);
  }
  dataset["shell"] = home;
  checkShell(home, true);
  expect(isShellCurrent()).toBe(false);
});

test("ignores a page that the server sent without content", () => {
  checkShell(home, true);
  expect(dataset).toEqual({});
  expect(isShellCurrent()).toBe(false);
});

test("repeats an early press once the page is hydrated, once, and only the last one", () => {
  dataset["shell"] = home;
  for (const target of buttons) press(target);
  finishHydration();
  finishHydration();
  vi.runAllTimers();
  expect(buttons.map(({ clicks }) => clicks)).toEqual([0, 1]);
});

test("runs the act of a button pressed early once, before its screen is hydrated, instead of a click", () => {
  dataset["shell"] = home;
  buttons[0]!.dataset["act"] = "start";
  press(buttons[0]!);
  expect(isPressedEarly()).toBe(true);
  const start = vi.fn<() => void>();
  runEarlyAct({ start });
  press(buttons[0]!);
  finishHydration();
  vi.runAllTimers();
  expect(start).toHaveBeenCalledOnce();
  expect(buttons[0]!.clicks).toBe(0);
  expect(isPressedEarly()).toBe(false);
});

test("leaves a press alone on a hydrated page, or on one that shows something else", () => {
  press(buttons[0]!);
  dataset["shell"] = "stale";
  press(buttons[1]!);
  finishHydration();
  vi.runAllTimers();
  expect(buttons.map(({ clicks }) => clicks)).toEqual([0, 0]);
});

test("opens the waiting sheet at an early press with an act, and only then", () => {
  dataset["shell"] = home;
  press(buttons[1]!);
  expect(isWaitingSheetOpen()).toBe(false);
  buttons[0]!.dataset["act"] = "start";
  press(buttons[0]!);
  expect(isWaitingSheetOpen()).toBe(true);
  press(sheet.closeButton);
  expect(isPressedEarly()).toBe(true);
  expect(sheet.closeButton.marked).toBe(false);
});

test("forgets the early press of a user who closes the waiting sheet", () => {
  dataset["shell"] = home;
  buttons[0]!.dataset["act"] = "start";
  press(buttons[0]!);
  sheet.close();
  const start = vi.fn<() => void>();
  runEarlyAct({ start });
  finishHydration();
  vi.runAllTimers();
  expect(start).not.toHaveBeenCalled();
  expect(buttons[0]!.clicks).toBe(0);
});

test("keeps an open waiting sheet until something comes in its place, and removes an unused one", () => {
  dataset["shell"] = home;
  buttons[0]!.dataset["act"] = "start";
  press(buttons[0]!);
  finishHydration();
  expect(sheet).toMatchObject({ open: true, isRemoved: false });
  removeWaitingSheet();
  expect(sheet).toMatchObject({ open: false, isRemoved: true });
  sheet = new Sheet();
  finishHydration();
  expect(sheet.isRemoved).toBe(true);
});

test("repeats a press on a button whose act has run when its waiting sheet was closed in between", () => {
  dataset["shell"] = home;
  buttons[0]!.dataset["act"] = "start";
  press(buttons[0]!);
  runEarlyAct({ start: () => undefined });
  sheet.close();
  press(buttons[0]!);
  finishHydration();
  vi.runAllTimers();
  expect(buttons[0]!.clicks).toBe(1);
});
