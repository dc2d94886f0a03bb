import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  checkShell,
  finishHydration,
  isPressedEarly,
  isShellCurrent,
  noteEarlyPress,
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

let dataset: Record<string, string>;
let buttons: Button[];

beforeEach(() => {
  vi.useFakeTimers();
  dataset = {};
  buttons = [new Button(), new Button()];
  vi.stubGlobal("Element", Button);
  vi.stubGlobal("document", {
    documentElement: { dataset },
    querySelector: () => buttons.find(({ marked }) => marked) ?? null,
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
