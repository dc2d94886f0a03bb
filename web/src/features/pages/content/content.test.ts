import { describe, expect, test } from "vitest";
import { languages } from "#lib/languages.ts";
import type { AboutContent, Block, PageContent } from "#lib/page-content.ts";

type Page = PageContent | AboutContent;

const files = import.meta.glob<{ page: Page }>("./*/*.ts", { eager: true });
const names = ["privacy", "terms", "rules", "about"] as const;
const placeholders: readonly string[] = ["{company}", "{email}", "{address}", "{year}"];
const cases = languages.flatMap(({ value }) => names.map((name) => ({ language: value, name })));

function pageOf(language: string, name: string): Page {
  const file = files[`./${language}/${name}.ts`];
  if (!file) throw new Error(`no ${name} in ${language}`);
  return file.page;
}

function textsOf(block: Block): readonly string[] {
  if (block.kind === "paragraph") return [block.text];
  return block.kind === "list" ? block.items : [...block.head, ...block.rows.flat()];
}

/** Every text of a page, whatever it stands in. */
function allTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(allTexts) : [];
}

/** How many texts a block has: one number, and for a table one for its head and one for each row. */
function sizesOf(block: Block): readonly number[] {
  if (block.kind === "table") return [block.head, ...block.rows].map((row) => row.length);
  return [textsOf(block).length];
}

/** What must be the same in every language: dates, sections, blocks, numbers, and the facts each block names. */
function shapeOf(page: Page): unknown {
  const found = (block: Block, pattern: RegExp) =>
    textsOf(block)
      .flatMap((text) => text.match(pattern) ?? [])
      .toSorted();
  return {
    effective: "effective" in page ? page.effective : "",
    leading: "short" in page ? page.short.length : page.features.length,
    sections: page.sections.map(({ id, blocks }) => ({
      id,
      blocks: blocks.map((block) => ({
        kind: block.kind,
        sizes: sizesOf(block),
        numbers: found(block, /\d+/g),
        facts: found(block, /\{\w+\}/g),
      })),
    })),
  };
}

/** Texts by which the pages tell the parts of a block apart. */
function keysOf(block: Block): readonly string[] {
  if (block.kind === "list") return block.items;
  return block.kind === "table" ? block.rows.flatMap(([first]) => first ?? []) : [];
}

test("[PAGE-5] the static pages exist in the five languages, and nothing else lies beside them", () => {
  const expected = cases.map(({ language, name }) => `./${language}/${name}.ts`);
  expect(Object.keys(files).toSorted()).toEqual(expected.toSorted());
});

describe.each(cases)("$name in $language", ({ language, name }) => {
  const page = pageOf(language, name);
  const blocks = page.sections.flatMap((section) => section.blocks);

  test("[PAGE-5] says what the English page says: the same sections in order, the same numbers, the same day", () => {
    expect(shapeOf(page)).toEqual(shapeOf(pageOf("en", name)));
  });

  test("[PAGE-5] has three short sentences, or three features on About us", () => {
    const leading: readonly unknown[] = "short" in page ? page.short : page.features;
    expect(leading).toHaveLength(3);
  });

  test("[PAGE-5] has no empty text, block or section", () => {
    expect(allTexts(page).filter((text) => text === "" || text !== text.trim())).toEqual([]);
    expect(page.sections.filter((section) => section.blocks.length === 0)).toEqual([]);
    expect(blocks.filter((block) => sizesOf(block).includes(0))).toEqual([]);
    expect(blocks.filter((block) => block.kind === "table" && new Set(sizesOf(block)).size !== 1)).toEqual([]);
  });

  test("[PAGE-5] has an anchor of its own for every section, and no text twice where it tells parts apart", () => {
    const ids = page.sections.map(({ id }) => id);
    expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id) || id === "in-short")).toEqual([]);
    for (const keys of [ids, ...blocks.map(keysOf)]) expect(new Set(keys).size).toBe(keys.length);
  });

  test("[PAGE-4] names only facts of the operator that the pages fill in", () => {
    const braces = allTexts(page).flatMap((text) => text.match(/[{}][^{}]*\}?/g) ?? []);
    expect(braces.filter((text) => !placeholders.includes(text))).toEqual([]);
  });
});
