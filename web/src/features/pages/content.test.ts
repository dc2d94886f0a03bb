import { describe, expect, test } from "vitest";
import type { StoredKey } from "#lib/storage.ts";
import type { AboutContent, Block, PageContent, SafetyContent } from "./page-content.ts";

type Page = PageContent | AboutContent;

const files = import.meta.glob<{ page: Page | SafetyContent }>("../../../../content/*/*.md", { eager: true });
/** The languages of the long texts; all others show English. */
const languages = ["en", "zh-CN", "ar", "tr", "id"] as const;
const names = ["privacy", "terms", "rules", "about", "accessibility"] as const;
const ownPaths: ReadonlySet<string> = new Set([
  "/safety",
  "/communityRules",
  "/privacyPolicy",
  "/userAgreement",
  "/transparency",
  "/accessibility",
]);
const cases = languages.flatMap((language) => names.map((name) => ({ language, name })));

const pathOf = (language: string, name: string) => `../../../../content/${language}/${name}.md`;

function fileOf(language: string, name: string): Page | SafetyContent {
  const file = files[pathOf(language, name)];
  if (!file) throw new Error(`no ${name} in ${language}`);
  return file.page;
}

const pageOf = (language: string, name: (typeof names)[number]) => fileOf(language, name) as Page;
const safetyOf = (language: string) => fileOf(language, "safety") as SafetyContent;

function textsOf(block: Block): readonly string[] {
  if (block.kind === "paragraph") return [block.text];
  return block.kind === "list" ? block.items : [...block.head, ...block.rows.flat()];
}

/** Every text of a page, at any depth. */
function allTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(allTexts) : [];
}

/** The number of texts in a block, and for a table those of its head and each row. */
function sizesOf(block: Block): readonly number[] {
  if (block.kind === "table") return [block.head, ...block.rows].map((row) => row.length);
  return [textsOf(block).length];
}

const linksIn = (text: string) => Array.from(text.matchAll(/\[[^\]]+\]\(([^)]*)\)/g), ([, to]) => to ?? "");
const factsIn = (text: string) => text.match(/\{\w+\}/g) ?? [];
const numbersIn = (text: string) => text.match(/\d+/g) ?? [];

/** What must be the same in every language: dates, sections, blocks, numbers, links, and the facts of each block. */
function shapeOf(page: Page): unknown {
  const found = (block: Block, find: (text: string) => readonly string[]) => textsOf(block).flatMap(find).toSorted();
  return {
    effective: "effective" in page ? page.effective : "",
    leading: "short" in page ? page.short.length : page.features.length,
    sections: page.sections.map(({ id, blocks }) => ({
      id,
      blocks: blocks.map((block) => ({
        kind: block.kind,
        sizes: sizesOf(block),
        numbers: found(block, numbersIn),
        facts: found(block, factsIn),
        links: found(block, linksIn),
      })),
    })),
  };
}

/** The texts by which the pages identify the parts of a block: list items, and the first cell of each table row. */
function keysOf(block: Block): readonly string[] {
  if (block.kind === "list") return block.items;
  return block.kind === "table" ? block.rows.flatMap(([first]) => first ?? []) : [];
}

test("static pages exist in the five languages, and no other file lies beside them", () => {
  const all = languages.flatMap((language) => [...names, "safety"].map((name) => pathOf(language, name)));
  expect(Object.keys(files).toSorted()).toEqual(all.toSorted());
});

describe.each(cases)("$name in $language", ({ language, name }) => {
  const page = pageOf(language, name);
  const blocks = page.sections.flatMap((section) => section.blocks);

  test("has the same sections in order, numbers and day as the English page", () => {
    expect(shapeOf(page)).toEqual(shapeOf(pageOf("en", name)));
  });

  test("has three short sentences, or three features on About us", () => {
    const leading: readonly unknown[] = "short" in page ? page.short : page.features;
    expect(leading).toHaveLength(3);
  });

  test("has no empty text, block or section", () => {
    expect(page.sections.filter((section) => section.blocks.length === 0)).toEqual([]);
    expect(blocks.filter((block) => sizesOf(block).includes(0))).toEqual([]);
    expect(blocks.filter((block) => block.kind === "table" && new Set(sizesOf(block)).size !== 1)).toEqual([]);
  });

  test("has a unique anchor for every section, and unique keys", () => {
    const ids = page.sections.map(({ id }) => id);
    expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id) || id === "in-short")).toEqual([]);
    for (const keys of [ids, ...blocks.map(keysOf)]) expect(new Set(keys).size).toBe(keys.length);
  });

  test("writes no number that the product could change: durations and amounts are facts", () => {
    // Numbers that do not change with the product: ages of the law and of the app's rating, and the version of a
    // guideline.
    const fixed = name === "accessibility" ? ["2"] : ["17", "18"];
    expect(
      allTexts(page.sections)
        .flatMap(numbersIn)
        .filter((number) => !fixed.includes(number)),
    ).toEqual([]);
  });
});

describe.each(languages)("the safety centre in %s", (language) => {
  const page = safetyOf(language);

  test("links to a section that the community rules have", () => {
    expect(pageOf(language, "rules").sections.map(({ id }) => id)).toContain("adults");
  });

  test("has the same parts as the English page", () => {
    const shape = (value: unknown): unknown => {
      if (typeof value === "string") return { facts: factsIn(value), lines: value.split("\n").length };
      return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, shape(part)]));
    };
    expect(shape(page)).toEqual(shape(safetyOf("en")));
  });

  test("has one blank for the account number in the template", () => {
    expect(page.template.split("{number}")).toHaveLength(2);
  });
});

describe.each(languages.flatMap((language) => [...names, "safety"].map((name) => ({ language, name }))))(
  "the texts of $name in $language",
  ({ language, name }) => {
    const texts = allTexts(fileOf(language, name));

    test("are not empty and have no surrounding blanks", () => {
      expect(texts.filter((text) => text === "" || text !== text.trim())).toEqual([]);
    });

    test("have only names of facts in braces", () => {
      const braces = texts.flatMap((text) => text.match(/[{}][^{}]*\}?/g) ?? []);
      expect(braces.filter((text) => !/^\{[a-zA-Z]+\}$/.test(text))).toEqual([]);
    });

    test("link only to existing pages and sections", () => {
      const targets = texts.flatMap(linksIn).map((to) => to.split("#"));
      expect(targets.filter(([path = ""]) => !ownPaths.has(path))).toEqual([]);
      const anchors = targets.filter(([path, id]) => path === "/communityRules" && id !== undefined);
      const ids = new Set(pageOf(language, "rules").sections.map(({ id }) => id));
      expect(anchors.filter(([, id = ""]) => !ids.has(id))).toEqual([]);
    });
  },
);

/** Each key is in the table of the privacy policy; a new one does not compile until it is listed here. */
const storedKeys: Readonly<Record<StoredKey, true>> = {
  loginToken: true,
  tencentCloudToken: true,
  uid: true,
  user_avatar: true,
  nickname: true,
  externalId: true,
  role: true,
  language: true,
  neverShowRule: true,
  rulesRead: true,
  filterGender: true,
  filterCountry: true,
  rechargeToken: true,
  roomId: true,
  agoraToken: true,
  holdPageKey: true,
  chargeStatus: true,
  rechargePrice: true,
  theme: true,
  keepBlurred: true,
  showCovered: true,
  translateTexts: true,
  keepCamera: true,
  homePeople: true,
  mediaOptions: true,
  devices: true,
  notifyDeclined: true,
  tellDeclined: true,
  hoursDeclined: true,
  ringsDeclined: true,
  answerDeclined: true,
  selfCorner: true,
  noQuestions: true,
  ringTone: true,
  searchChecksTold: true,
  translationTold: true,
  unsentPanic: true,
  appealDraft: true,
  appealTold: true,
  deskBlur: true,
  deskGrey: true,
  imei: true,
};

test.each(languages)("[PAGE-42] names everything that the browser stores in the privacy policy in %s", (language) => {
  const browser = pageOf(language, "privacy").sections.find(({ id }) => id === "browser");
  const named = (browser?.blocks ?? [])
    .flatMap((block) => (block.kind === "table" ? block.rows : []))
    .flatMap(([keys = ""]) => keys.split(/[,、]\s*/));
  // Also `fava`, the database of signing keys, and `waitingOrder`, which a tab stores in its session storage.
  expect(named.toSorted()).toEqual([...Object.keys(storedKeys), "fava", "waitingOrder"].toSorted());
});
