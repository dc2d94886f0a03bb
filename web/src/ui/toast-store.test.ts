import { afterEach, expect, test } from "vitest";
import { toastsShownMax } from "@fava/wire/limits.ts";
import { dismissPassingToasts, showToast, shownToasts } from "#ui/toast-store.ts";

afterEach(dismissPassingToasts);
const texts = () => shownToasts().map((toast) => toast.text);

test("a toast is of type default and lasts 3000 ms unless told otherwise", () => {
  showToast({ text: "saved" });
  expect(shownToasts()).toMatchObject([{ type: "default", text: "saved", durationMs: 3_000 }]);
});

test("at most three toasts are shown, and the same words not twice", () => {
  for (const text of ["a", "b", "c", "d", "c"]) showToast({ text, type: "info" });
  expect(texts()).toEqual(["b", "d", "c"]);
  expect(toastsShownMax).toBe(3);
});

test("a toast can be taken away earlier", () => {
  const takeAway = showToast({ text: "working" });
  showToast({ text: "other" });
  takeAway();
  expect(texts()).toEqual(["other"]);
});

test("what waits for an answer gives way to no other notice and not to Escape", () => {
  const takeAway = showToast({ text: "new version", durationMs: null });
  for (const text of ["a", "b", "c"]) showToast({ text });
  expect(texts()).toEqual(["new version", "b", "c"]);
  dismissPassingToasts();
  expect(texts()).toEqual(["new version"]);
  takeAway();
  expect(texts()).toEqual([]);
});
