import { afterEach, expect, test } from "vitest";
import { toastsShownMax } from "@fava/wire/limits.ts";
import { dismissPassingToasts, showToast, shownToasts } from "#ui/toast-store.ts";

afterEach(dismissPassingToasts);
const texts = () => shownToasts().map((toast) => toast.text);

test("shows a toast of type default for 3000 ms by default", () => {
  showToast({ text: "saved" });
  expect(shownToasts()).toMatchObject([{ type: "default", text: "saved", durationMs: 3_000 }]);
});

test("shows at most three toasts, and the same text once", () => {
  for (const text of ["a", "b", "c", "d", "c"]) showToast({ text, type: "info" });
  expect(texts()).toEqual(["b", "d", "c"]);
  expect(toastsShownMax).toBe(3);
});

test("removes a toast early", () => {
  const takeAway = showToast({ text: "working" });
  showToast({ text: "other" });
  takeAway();
  expect(texts()).toEqual(["other"]);
});

test("keeps a toast that waits for an answer when others come and on Escape", () => {
  const takeAway = showToast({ text: "new version", durationMs: null });
  for (const text of ["a", "b", "c"]) showToast({ text });
  expect(texts()).toEqual(["new version", "b", "c"]);
  dismissPassingToasts();
  expect(texts()).toEqual(["new version"]);
  takeAway();
  expect(texts()).toEqual([]);
});
