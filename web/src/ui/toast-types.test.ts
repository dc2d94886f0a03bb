import { afterEach, expect, expectTypeOf, test } from "vitest";
import { dismissPassingToasts, showToast, shownToasts, type ToastRequest } from "#ui/toast-store.ts";

afterEach(dismissPassingToasts);

test.each(["default", "success", "error", "warning", "info"] as const)("accepts a toast of type %s", (type) => {
  showToast({ type, text: "x" });
  expect(shownToasts()).toMatchObject([{ type }]);
});

test("accepts no other type", () => {
  expectTypeOf<NonNullable<ToastRequest["type"]>>().toEqualTypeOf<
    "default" | "success" | "error" | "warning" | "info"
  >();
});
