import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropShell, judgeShell, shellFits, shellName } from "#lib/shell.ts";

let dataset: Record<string, string>;

beforeEach(() => {
  dataset = {};
  vi.stubGlobal("document", { documentElement: { dataset } });
});
afterEach(() => vi.unstubAllGlobals());

const home = shellName({ language: "tr", pathname: "/", year: 2026 });

test("[FOUND-7] what the server has sent stays where the page will show the same", () => {
  dataset["shell"] = home;
  judgeShell(home, false);
  expect(shellFits()).toBe(true);
  dropShell();
  expect(shellFits()).toBe(false);
});

test("[FOUND-7] another language, page or year, or a person who is signed in, is not shown the server's words", () => {
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
