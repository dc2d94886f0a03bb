import { createStore } from "zustand";
import { expect, onTestFinished, test, vi } from "vitest";
import { RemoteValue } from "#lib/remote-value.ts";
import { afterEachTest, leftovers, cleanUpTest } from "#testing/test-cleanup.ts";
import { excludeFromReset } from "#testing/reset-stores.ts";

test("what a test leaves in the page is noticed by name", () => {
  const element = Object.assign(document.createElement("aside"), { id: "mine" });
  onTestFinished(() => {
    element.remove();
    Reflect.deleteProperty(navigator, "onLine");
    Reflect.deleteProperty(document, "hidden");
  });
  expect(leftovers()).toEqual([]);
  document.body.append(element);
  Object.defineProperty(navigator, "onLine", { configurable: true, value: false });
  Object.defineProperty(document, "hidden", { configurable: true, value: true });
  expect(leftovers()).toEqual(['<aside id="mine"></aside>', "navigator.onLine", "document.hidden"]);
});

test("resets stores and drops loaded data, but keeps a store whose numbers must not repeat", async () => {
  const put = createStore<{ count: number }>(() => ({ count: 0 }));
  const curried = createStore<number>()(() => 0);
  const left = createStore<number>(() => 0);
  excludeFromReset(left);
  let loads = 0;
  const load = () => Promise.resolve((loads += 1));
  const value = new RemoteValue({ staleMs: Number.POSITIVE_INFINITY, load });
  put.setState({ count: 1 });
  curried.setState(1);
  left.setState(1);
  expect(await value.fetch()).toBe(1);
  await cleanUpTest();
  expect([put.getState(), curried.getState(), left.getState()]).toEqual([{ count: 0 }, 0, 1]);
  expect(value.peek()).toBeUndefined();
  expect(await value.fetch()).toBe(2);
});

test("clock, spies, globals, storage and what was said are put back, even where a step fails", async () => {
  const now = vi.spyOn(Date, "now");
  vi.useFakeTimers();
  vi.stubGlobal("open", () => null);
  localStorage.setItem("theme", "dark");
  sessionStorage.setItem("banNotice", "{}");
  const region = document.getElementById("said-polite");
  region?.append("said");
  const stub: unknown = window.open;
  let isFailing = true;
  afterEachTest(() => {
    if (isFailing) throw new Error("a failing step");
  });
  await expect(cleanUpTest()).rejects.toThrow("a failing step");
  isFailing = false;
  expect(vi.isFakeTimers()).toBe(false);
  expect(vi.isMockFunction(Date.now)).toBe(false);
  expect(now).not.toBe(Date.now);
  expect(window.open === stub).toBe(false);
  expect([localStorage.length, sessionStorage.length, region?.textContent]).toEqual([0, 0, ""]);
});
