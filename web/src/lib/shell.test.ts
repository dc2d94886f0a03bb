import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { judgeShell, notePress, shellFits, shellName, takeOver } from "#lib/shell.ts";

/** As much of an element as a press touches. */
class Button {
  marked = false;
  clicks = 0;
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

const home = shellName({ language: "tr", pathname: "/", year: 2026 });

test("what the server has sent stays where the page will show the same", () => {
  dataset["shell"] = home;
  judgeShell(home, false);
  expect(shellFits()).toBe(true);
  takeOver();
  expect(shellFits()).toBe(false);
});

test("another language, page or year, or a person who is signed in, is not shown the server's words", () => {
  for (const other of [
    { language: "en", pathname: "/", year: 2026 },
    { language: "tr", pathname: "/safety", year: 2026 },
    { language: "tr", pathname: "/", year: 2027 },
  ]) {
    dataset["shell"] = home;
    judgeShell(shellName(other), false);
    expect(dataset["shell"]).toBe("stale");
    expect(shellFits()).toBe(false);
  }
  dataset["shell"] = home;
  judgeShell(home, true);
  expect(shellFits()).toBe(false);
});

test("a page that the server has sent without words is not judged", () => {
  judgeShell(home, true);
  expect(dataset).toEqual({});
  expect(shellFits()).toBe(false);
});

test("what was pressed before the page was alive is done when it is, once, and the last of all", () => {
  dataset["shell"] = home;
  for (const target of buttons) notePress({ target } as unknown as Event);
  takeOver();
  takeOver();
  vi.runAllTimers();
  expect(buttons.map(({ clicks }) => clicks)).toEqual([0, 1]);
});

test("a press on a page that is alive, or that shows something else, is its own", () => {
  notePress({ target: buttons[0] } as unknown as Event);
  dataset["shell"] = "stale";
  notePress({ target: buttons[1] } as unknown as Event);
  takeOver();
  vi.runAllTimers();
  expect(buttons.map(({ clicks }) => clicks)).toEqual([0, 0]);
});
