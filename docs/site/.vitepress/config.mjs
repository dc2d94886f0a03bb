// The documents of the repository as a site with search. `npm run docs` copies them into `pages/` first.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const pages = fileURLToPath(new URL("../pages", import.meta.url));
/** Folders of `docs/` by the heading of their pages in the sidebar, after the loose pages. */
const folders = { "how-to": "How to", operations: "Operations", rules: "Rules", decisions: "Decisions" };
const ofRoot = ["README", "CONTRIBUTING", "STYLE", "SECURITY", "CHANGELOG"];

export default defineConfig({
  title: "Fava",
  description: "Documents of Fava",
  srcDir: "pages",
  outDir: "dist",
  rewrites: { "README.md": "index.md", "docs/:folder/README.md": "docs/:folder/index.md" },
  markdown: { config: (markdown) => markdown.use(linksToSource) },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Architecture", link: "/docs/architecture" },
      { text: "Operations", link: "/docs/operations/" },
    ],
    sidebar: [
      { text: "Project", items: [...ofRoot.map((name) => page(`${name}.md`)), ...pagesIn("docs")] },
      ...Object.entries(folders)
        .filter(([folder]) => existsSync(join(pages, "docs", folder)))
        .map(([folder, text]) => ({ text, collapsed: true, items: pagesIn(`docs/${folder}`) })),
    ],
  },
});

function pagesIn(folder) {
  const names = readdirSync(join(pages, folder)).filter((name) => name.endsWith(".md"));
  const first = names.filter((name) => name === "README.md");
  return [...first, ...names.filter((name) => name !== "README.md")].map((name) => page(`${folder}/${name}`));
}

/** A page by its first heading. */
function page(path) {
  const heading = /^# (.+)$/m.exec(readFileSync(join(pages, path), "utf8"))?.[1] ?? basename(path, ".md");
  return { text: heading.replaceAll("`", ""), link: `/${path.replace(/(?:README)?\.md$/, "")}` };
}

/** Shows links to files that are not on the site as their text alone. */
function linksToSource(markdown) {
  const { link_open: open, link_close: close } = markdown.renderer.rules;
  const isSource = (href, { path }) => {
    if (/^(?:[a-z]+:|#|\/)/.test(href)) return false;
    const target = join(path, "..", href.replace(/#.*$/, ""));
    return !(target.endsWith(".md") && existsSync(target)) && !target.endsWith("/");
  };
  const shown = (rule, [tokens, index, options, env, self]) =>
    rule ? rule(tokens, index, options, env, self) : self.renderToken(tokens, index, options);
  const opened = [];
  markdown.renderer.rules.link_open = (...args) => {
    const [tokens, index, , env] = args;
    opened.push(isSource(tokens[index].attrGet("href") ?? "", env));
    return opened.at(-1) ? "<span>" : shown(open, args);
  };
  markdown.renderer.rules.link_close = (...args) => (opened.pop() ? "</span>" : shown(close, args));
}
