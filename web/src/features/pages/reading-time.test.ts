import { expect, test } from "vitest";
import { readingMinutes } from "./LegalPage.tsx";
import type { PageContent } from "./page-content.ts";

const page = (text: string): PageContent => ({
  title: "",
  effective: "2026-11-01",
  short: [],
  sections: [{ id: "one", heading: "", blocks: [{ kind: "paragraph", text }] }],
});

test("counts words, Chinese characters, and never zero minutes", () => {
  expect(readingMinutes(page("word ".repeat(660)))).toBe(3);
  expect(readingMinutes(page("字".repeat(800)))).toBe(2);
  expect(readingMinutes(page(""))).toBe(1);
});
