import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { earlyScriptTag, inlined, type PageDetails, pageHtml } from "./page-html.ts";

const template = readFileSync(join(import.meta.dirname, "../index.html"), "utf8");
const details: PageDetails = {
  language: "zh-CN",
  page: {
    address: "/safety?lang=zh-CN",
    title: 'A "title" & <more>',
    description: "$& and a description",
    pictureWords: "Two people",
    direction: "ltr",
    shell: "zh-CN /safety 2026",
    html: "<main>$1 words</main>",
    sheet: '<dialog id="waiting-sheet"></dialog>',
  },
  files: { scripts: ["assets/later.js"], styles: ["assets/page.css"], press: ["assets/press.js"] },
};

test("writes language, title, description, address, preview and files into a page", () => {
  const html = pageHtml(template, details);
  for (const part of [
    '<html lang="zh-CN" dir="ltr" data-shell="zh-CN /safety 2026">',
    "<title>A &quot;title&quot; &amp; &lt;more></title>",
    '<meta name="description" content="$&amp; and a description" />',
    '<link rel="canonical" href="{origin}/safety?lang=zh-CN" />',
    '<link rel="expect" href="#said-polite" blocking="render" />',
    '<div id="said-polite"',
    "<!--alternates-->",
    '<meta property="og:locale" content="zh_CN" />',
    '<meta property="og:title" content="A &quot;title&quot; &amp; &lt;more>" />',
    '<meta property="og:url" content="{origin}/safety?lang=zh-CN" />',
    '<meta property="og:image" content="{origin}/share.png" />',
    '<meta property="og:image:alt" content="Two people" />',
    '<meta name="twitter:card" content="summary_large_image" />',
    '<link rel="stylesheet" crossorigin href="/assets/page.css" />',
    '<link rel="later-part" href="/assets/later.js" />',
    '<link rel="press-part" href="/assets/press.js" />',
    '<link rel="later-script" href="/src/main.tsx" />',
    'href="/manifest/zh-CN.webmanifest"',
    '<div id="root"><main>$1 words</main></div><dialog id="waiting-sheet"></dialog>',
  ]) {
    expect(html).toContain(part);
  }
  expect(html).not.toContain("modulepreload");
  expect(html).not.toContain('type="module"');
  expect(html.match(/<title>/g)).toHaveLength(1);
  expect(html.match(/name="description"/g)).toHaveLength(1);
});

test("rejects a template that lacks one of its places", () => {
  expect(() => pageHtml(template.replace('<div id="root"></div>', ""), details)).toThrow("index.html lacks");
});

test("inlines style sheets and the first script, unless they contain a closing tag or a placeholder", () => {
  const tags = `${earlyScriptTag("assets/early.js")}<link rel="stylesheet" crossorigin href="/assets/a.css">`;
  const files: Record<string, string> = { "assets/early.js": "$1 early()", "assets/a.css": "a{b:$&}" };
  const read = (file: string) => files[file] ?? "";
  expect(inlined(tags, read)).toBe('<script>$1 early()</script><style data-file="/assets/a.css">a{b:$&}</style>');
  for (const text of ["'</SCRIPT>'", "({email}) => email"])
    expect(() => inlined(tags, (file) => (file.endsWith(".js") ? text : ""))).toThrow(
      "early.js cannot be inlined in a page",
    );
});

test("serves a small icon to browsers that request one before the page names it", () => {
  const icon = readFileSync(join(import.meta.dirname, "../public/favicon.ico"));
  // Of the format: reserved, an icon, one image of 32 by 32.
  expect([...icon.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
  expect(icon.length).toBeLessThan(2_000);
});
