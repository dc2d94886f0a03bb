import { basename } from "node:path";
import matter from "gray-matter";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import * as v from "valibot";
import type { Plugin } from "vite";
import type {
  AboutContent,
  Block,
  HeadedText,
  PageContent,
  PageTexts,
  SafetyContent,
} from "../src/features/pages/page-content.ts";

/**
 * Compiles `content/<lang>/<page>.md` on import: from Markdown with front matter to a module with the `page` as data.
 * Neither the Markdown nor its parser reaches the browser. docs/legal-texts.md describes the format.
 */
export function pageContent(): Plugin {
  return {
    name: "fava:page-content",
    transform: {
      filter: { id: /[\\/]content[\\/][\w-]+[\\/]\w+\.md$/ },
      handler(source, id) {
        return { code: `export const page = ${JSON.stringify(compilePage(basename(id, ".md"), source))};`, map: null };
      },
    },
  };
}

/** Compiles the page of this name. @throws Error, or ValiError for front matter, that says what is wrong with it */
export function compilePage(name: string, source: string): PageTexts[keyof PageTexts] {
  const { data, content } = matter(source);
  const page = { front: data, top: readParts(content) };
  switch (name) {
    case "privacy":
    case "terms":
    case "rules":
    case "accessibility":
      return legalPage(page);
    case "about":
      return aboutPage(page);
    case "safety":
      return safetyPage(page);
    default:
      throw new Error(`unknown page ${name}`);
  }
}

/** A heading with its content. The title of a page is the heading of everything. */
interface Part {
  /** Null for the title and for headings of the third level. */
  id: string | null;
  heading: string;
  blocks: Block[];
  parts: Part[];
}

interface Page {
  front: unknown;
  top: Part;
}

const legalFront = v.strictObject({ effective: v.date("effective must be a day without quotation marks: 2026-11-21") });
const aboutFront = v.strictObject({ copyright: v.string() });
const safetyFront = v.strictObject({ template: v.string() });

function legalPage({ front, top }: Page): PageContent {
  const { effective } = v.parse(legalFront, front);
  const [short] = top.blocks;
  if (top.blocks.length !== 1 || short?.kind !== "list")
    throw new Error("exactly one list, the summary, must follow the title");
  return {
    title: top.heading,
    effective: effective.toISOString().slice(0, 10),
    short: short.items,
    sections: top.parts.map(sectionOf),
  };
}

function aboutPage({ front, top }: Page): AboutContent {
  const [one, two, three, ...more] = top.parts.filter(({ id }) => id === null).map(headedText);
  if (!one || !two || !three || more.length > 0) throw new Error("three features (###) must come before the sections");
  return {
    title: top.heading,
    lead: paragraphOf(top),
    features: [one, two, three],
    sections: top.parts.filter(({ id }) => id !== null).map(sectionOf),
    copyright: v.parse(aboutFront, front).copyright,
  };
}

function safetyPage({ front, top }: Page): SafetyContent {
  const section = (id: string): Part => {
    const found = top.parts.find((part) => part.id === id);
    if (!found) throw new Error(`the section {#${id}} is missing`);
    return found;
  };
  const talk = section("talk");
  return {
    title: top.heading,
    lead: paragraphOf(top),
    steps: fourTexts(
      "steps",
      top.parts.filter(({ id }) => id === null),
    ),
    template: letterOf(v.parse(safetyFront, front).template),
    talk: { heading: talk.heading, parts: fourTexts("parts of {#talk}", talk.parts) },
    removal: headedText(section("removal")),
    minor: headedText(section("minor")),
    danger: headedText(section("danger")),
    visit: headedText(section("visit")),
  };
}

/** A blank to fill in follows a colon and a space, which editors remove at the end of a line. */
function letterOf(template: string): string {
  return template.replaceAll(/:$/gm, ": ");
}

function sectionOf({ id, heading, blocks, parts }: Part): PageContent["sections"][number] {
  if (id === null || parts.length > 0)
    throw new Error(`"${parts[0]?.heading ?? heading}" is not a section, which has ## and an id`);
  return { id, heading, blocks };
}

function fourTexts(what: string, parts: readonly Part[]): SafetyContent["steps"] {
  const [one, two, three, four, ...more] = parts.map(headedText);
  if (!one || !two || !three || !four || more.length > 0) throw new Error(`there must be four ${what} (###)`);
  return [one, two, three, four];
}

function headedText(part: Part): HeadedText {
  if (part.parts.length > 0) throw new Error(`no headings are allowed under "${part.heading}"`);
  return { heading: part.heading, text: paragraphOf(part) };
}

function paragraphOf({ heading, blocks }: Part): string {
  const [block] = blocks;
  if (blocks.length !== 1 || block?.kind !== "paragraph")
    throw new Error(`exactly one paragraph must be under "${heading}"`);
  return block.text;
}

/** Title (#), sections with their ids (##) and parts without one (###), each with its blocks. */
function readParts(markdown: string): Part {
  const [title, ...tokens] = lexer(markdown).filter(({ type }) => type !== "space") as MarkedToken[];
  if (title?.type !== "heading" || title.depth !== 1) throw new Error("a page must start with its title: # Title");
  const top: Part = { id: null, heading: textOf(title), blocks: [], parts: [] };
  let section = top;
  let part = top;
  for (const token of tokens) {
    if (token.type !== "heading") {
      part.blocks.push(blockOf(token));
      continue;
    }
    part = partOf(token);
    if (token.depth === 2) section = part;
    (token.depth === 2 ? top : section).parts.push(part);
  }
  return top;
}

function partOf(heading: Tokens.Heading): Part {
  const text = textOf(heading);
  if (heading.depth === 3) return { id: null, heading: text, blocks: [], parts: [] };
  const [, words, id] = /^(.*\S) \{#([a-z-]+)\}$/.exec(text) ?? [];
  if (heading.depth !== 2 || words === undefined || id === undefined)
    throw new Error(`"${text}" needs an id: ## Heading {#id}`);
  return { id, heading: words, blocks: [], parts: [] };
}

function blockOf(token: MarkedToken): Block {
  if (token.type === "paragraph") return { kind: "paragraph", text: textOf(token) };
  if (token.type === "list" && !token.ordered) return { kind: "list", items: token.items.map(textOf) };
  if (token.type === "table")
    return { kind: "table", head: token.header.map(textOf), rows: token.rows.map((row) => row.map(textOf)) };
  throw new Error(`a page may have paragraphs, lists with "-" and tables, but no ${token.type}: ${token.raw}`);
}

/** A text as written: its facts and links are resolved when it is shown. @throws Error for any other markup */
function textOf({ text, tokens }: { text: string; tokens?: Token[] }): string {
  for (const token of tokens ?? []) {
    const isAllowed = token.type === "text" || (token.type === "link" && String(token["href"]).startsWith("/"));
    if (!isAllowed) throw new Error(`a text may have facts and links to our pages, but no ${token.type}: ${token.raw}`);
    textOf(token as { text: string; tokens?: Token[] });
  }
  return text;
}
