import { expect, test } from "vitest";
import { badgeText } from "#lib/format.ts";
import { withBadge } from "#lib/use-document-title.ts";

test("puts the number of unread messages before the title, and removes it with the last one", () => {
  expect(withBadge("Fava", 3)).toBe("(3) Fava");
  expect(withBadge("(3) Fava", 4)).toBe("(4) Fava");
  expect(withBadge("(99+) About · Fava", 1)).toBe("(1) About · Fava");
  expect(withBadge("(3) Fava", 0)).toBe("Fava");
});

test("shows a badge up to 99", () => {
  expect([badgeText(99), badgeText(100)]).toEqual(["99", "99+"]);
});
