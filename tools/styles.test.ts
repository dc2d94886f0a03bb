import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../web/src");
const sheets = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".css"))
  .map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);

/** Every declaration of these properties in all style sheets, as "file: value". */
function declared(properties: string): readonly string[] {
  const declaration = new RegExp(`(?<![\\w-])(?:${properties}):([^;{}]+);`, "g");
  return sheets.flatMap(([file, text]) =>
    [...text.replaceAll(/\/\*.*?\*\//gs, "").matchAll(declaration)].map(
      ([, value = ""]) => `${file}: ${value.replaceAll(/\s+/g, " ").trim()}`,
    ),
  );
}

test("knows two steps of depth: other shadows are sharp rings, or lines inside", () => {
  const allowed = /: (?:none|var\(--shadow-[12]\)|inset .*|0 0 0 .*)$/;
  expect(declared("box-shadow").filter((found) => !allowed.test(found))).toEqual([]);
});

test("takes every duration of a motion from a token", () => {
  const found = declared("transition|transition-duration|animation|animation-duration|animation-delay");
  expect(found.length).toBeGreaterThan(20);
  const timed = found.filter((value) => /(?<![\w-])[\d.]+m?s\b/.test(value));
  // The whole page appears or disappears: nothing moves. The drawn people of home have the times of a film.
  const others = /base\.css: (?:stale-shell 1ms 8s backwards|0\.01ms !important)$|DrawnLoop\.module\.css: /;
  expect(timed.filter((value) => !others.test(value))).toEqual([]);
});

test("moves by transform and opacity only", () => {
  const moved = declared("transition").flatMap((found) =>
    found
      .replace(/^.*?: /, "")
      .replaceAll(/\([^()]*\)/g, "")
      .split(", ")
      .map((part) => part.split(" ")[0] ?? ""),
  );
  const allowed = new Set(["transform", "translate", "rotate", "scale", "opacity", "none"]);
  expect(moved.filter((property) => !allowed.has(property))).toEqual([]);
});

test("uses :has() only on elements with a name of their own, because it is evaluated again when the page changes", () => {
  const subject = /(?:^|[\s,{}>~+])(?:html|body|:root|\*)?:has\(/;
  const rules = sheets.map(([file, text]) => {
    const shown = text.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/@media print \{(?:[^{}]*\{[^{}]*\})*\s*\}/g, "");
    return [file, shown] as const;
  });
  expect(rules.filter(([, text]) => subject.test(text)).map(([file]) => file)).toEqual([]);
});
