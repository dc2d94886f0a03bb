import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A part of a document that a tool writes, between `<!-- generated: NAME -->` and `<!-- end -->`. */
export interface Section {
  path: string;
  name: string;
  text: string;
}

/** Whether the document has the section's text; with `isWriting` the text is put there first. */
export function isCurrent(root: string, { path, name, text }: Section, isWriting: boolean): boolean {
  const file = join(root, path);
  const document = readFileSync(file, "utf8");
  const wanted = withSection(document, name, text);
  if (isWriting && wanted !== document) writeFileSync(file, wanted);
  return isWriting || wanted === document;
}

/** @throws Error for a document without the marks of the section. */
export function withSection(document: string, name: string, text: string): string {
  const start = `<!-- generated: ${name} -->\n`;
  const from = document.indexOf(start);
  const to = document.indexOf("<!-- end -->", from);
  if (from < 0 || to < 0) throw new Error(`no section "${name}"`);
  return `${document.slice(0, from + start.length)}\n${text.trim()}\n\n${document.slice(to)}`;
}
