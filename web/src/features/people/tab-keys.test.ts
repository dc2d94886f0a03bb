import { expect, test } from "vitest";
import { tabAfter } from "./PeopleSheet.tsx";

test("moves by arrow keys around the tabs, in the reading direction", () => {
  expect(tabAfter("recent", "ArrowRight", false)).toBe("friends");
  expect(tabAfter("recent", "ArrowLeft", false)).toBe("blocked");
  expect(tabAfter("blocked", "ArrowRight", false)).toBe("recent");
  expect(tabAfter("fans", "ArrowLeft", true)).toBe("likes");
  expect(tabAfter("fans", "ArrowRight", true)).toBe("following");
  expect(tabAfter("likes", "Home", false)).toBe("recent");
  expect(tabAfter("likes", "End", false)).toBe("blocked");
  expect(tabAfter("likes", "Enter", false)).toBeNull();
});
