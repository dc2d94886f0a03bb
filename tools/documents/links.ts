import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Links of a document, as they stand in it: `[text](target)`, `![text](target)`, `[name]: target` and `href="target"`. */
const linkPattern = /\]\(<?([^\s)>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)|\b(?:href|src)="([^"]+)"/gm;
const headingPattern = /^#{1,6}\s+(.+?)\s*#*$/gm;

/** Links of the documents `paths`, relative to `root`, that lead to no file or to no heading: one line each. External links are not opened. */
export function deadLinks(root: string, paths: readonly string[]): string[] {
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsIn = (file: string) => {
    const known = anchors.get(file) ?? anchorsOf(readFileSync(file, "utf8"));
    anchors.set(file, known);
    return known;
  };
  return paths.flatMap((path) =>
    linksOf(readFileSync(join(root, path), "utf8")).flatMap((link) => {
      const [target = "", anchor] = link.split("#");
      const file = target === "" ? join(root, path) : join(root, dirname(path), decodeURI(target));
      if (relative(root, file).startsWith("..")) return `${path}: ${link} leaves the repository`;
      if (!existsSync(file)) return `${path}: ${link} leads to no file`;
      const isDead = anchor !== undefined && file.endsWith(".md") && !anchorsIn(file).has(anchor);
      if (isDead) return `${path}: ${link} leads to no heading`;
      return anchor !== undefined && statSync(file).isDirectory() ? `${path}: ${link} is a folder` : [];
    }),
  );
}

/** Targets of all links that lead to files of the repository or to headings. */
export function linksOf(document: string): string[] {
  return [...withoutCode(document).matchAll(linkPattern)]
    .map(([, inline, reference, attribute]) => inline ?? reference ?? attribute ?? "")
    .filter((link) => !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(link));
}

/** Anchors of a document's headings, as code hosts make them: lower case, without signs, hyphens for spaces, numbered where equal. */
export function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of document.replaceAll(/^```.*?^```/gms, "").matchAll(headingPattern)) {
    const shown = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
    const plain = shown
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
      .replaceAll(" ", "-");
    let anchor = plain;
    for (let number = 1; anchors.has(anchor); number++) anchor = `${plain}-${number}`;
    anchors.add(anchor);
  }
  for (const [, id = ""] of document.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

function withoutCode(document: string): string {
  return document.replaceAll(/^```.*?^```/gms, "").replaceAll(/(`+).+?\1/gs, "");
}
