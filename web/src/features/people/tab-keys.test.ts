import { expect, test } from "vitest";
import { tabAfter } from "./PeopleSheet.tsx";

test("moves by arrow keys around the tabs, in the reading direction", () => {
  expect(tabAfter("following", "ArrowRight", false)).toBe("fans");
  expect(tabAfter("following", "ArrowLeft", false)).toBe("blocked");
  expect(tabAfter("blocked", "ArrowRight", false)).toBe("following");
  expect(tabAfter("fans", "ArrowLeft", true)).toBe("friends");
  expect(tabAfter("fans", "ArrowRight", true)).toBe("following");
  expect(tabAfter("likes", "Home", false)).toBe("following");
  expect(tabAfter("likes", "End", false)).toBe("blocked");
  expect(tabAfter("likes", "Enter", false)).toBeNull();
});
