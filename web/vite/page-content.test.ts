import { expect, test } from "vitest";
import { compilePage } from "./page-content.ts";

const rules = (change: { front?: string; body?: string } = {}) => {
  const { front = "effective: 2026-11-21", body = "## Be kind {#kind}\n\nTo {company}." } = change;
  return `---\n${front}\n---\n\n# Rules\n\n- One.\n- Two.\n\n${body}\n`;
};
const about = (body: string) => `---\ncopyright: © {year}\n---\n\n# About\n\nLead.\n\n${body}\n`;
const features = "### A\n\nOne.\n\n### B\n\nTwo.\n\n### C\n\nThree.\n";

test("compiles title, summary, and sections of paragraphs, lists and tables", () => {
  const body =
    "## Be kind {#be-kind}\n\nSee [the terms](/userAgreement), {email}.\n\n- a\n- b\n\n| A | B |\n| --- | --- |\n| {undo} | \\|d |";
  expect(compilePage("rules", rules({ body }))).toEqual({
    title: "Rules",
    effective: "2026-11-21",
    short: ["One.", "Two."],
    sections: [
      {
        id: "be-kind",
        heading: "Be kind",
        blocks: [
          { kind: "paragraph", text: "See [the terms](/userAgreement), {email}." },
          { kind: "list", items: ["a", "b"] },
          { kind: "table", head: ["A", "B"], rows: [["{undo}", "|d"]] },
        ],
      },
    ],
  });
});

test("compiles three features before the sections of About us", () => {
  expect(compilePage("about", about(`${features}\n## More {#more}\n\nText.`))).toMatchObject({
    lead: "Lead.",
    features: [
      { heading: "A", text: "One." },
      { heading: "B", text: "Two." },
      { heading: "C", text: "Three." },
    ],
    sections: [{ id: "more" }],
    copyright: "© {year}",
  });
});

test.each([
  ["a heading without an id", rules({ body: "## Be kind\n\nText." }), '"Be kind" needs an id: ## Heading {#id}'],
  ["a heading that is too deep", rules({ body: "#### Deep\n\nText." }), '"Deep" needs an id'],
  ["a second title", rules({ body: "# Again\n\nText." }), '"Again" needs an id'],
  ["a part where sections are", rules({ body: "### Be kind\n\nText." }), '"Be kind" is not a section'],
  ["text before its title", "---\neffective: 2026-11-21\n---\nText.", "a page must start with its title"],
  ["no list as its summary", "---\neffective: 2026-11-21\n---\n# Rules\n\nText.", "exactly one list"],
  ["no day", rules({ front: "" }), "effective"],
  ["a day in quotation marks", rules({ front: 'effective: "2026-11-21"' }), "without quotation marks"],
  ["unknown front matter", rules({ front: "effective: 2026-11-21\nauthor: Ana" }), "author"],
  ["markup in a text", rules({ body: "## A {#a}\n\nBe **kind**." }), "no strong: **kind**"],
  ["HTML in a text", rules({ body: "## A {#a}\n\n- Be <b>kind</b>." }), "no html: <b>"],
  ["a link to another site", rules({ body: "## A {#a}\n\n[x](https://else.test)." }), "no link: [x]"],
  ["a list in a list", rules({ body: "## A {#a}\n\n- one\n  - two" }), "no list"],
  ["a numbered list", rules({ body: "## A {#a}\n\n1. one" }), "no list: 1. one"],
  ["a quotation", rules({ body: "## A {#a}\n\n> Text." }), "no blockquote"],
])("rejects a page with %s", (_what, source, message) => {
  expect(() => compilePage("rules", source)).toThrow(message);
});

test("rejects a page that lacks a part of its screen", () => {
  expect(() => compilePage("about", about("### A\n\nOne."))).toThrow("three features");
  expect(() => compilePage("about", about(features.replace("Two.", "- Two.")))).toThrow(
    'exactly one paragraph must be under "B"',
  );
  const safety = `---\ntemplate: Help\n---\n\n# Safety\n\nLead.\n\n${features}\n### D\n\nFour.\n`;
  expect(() => compilePage("safety", safety)).toThrow("the section {#talk} is missing");
  expect(() => compilePage("safety", `${safety}\n## Talk {#talk}\n\n${features}`)).toThrow("four parts of {#talk}");
  expect(() => compilePage("help", rules())).toThrow("unknown page help");
});
