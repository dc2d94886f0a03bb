/**
 * The rules of a style sheet that apply in one screen orientation only (WCAG 1.3.4), verbatim. Axe checks the same on
 * every page, for which it reads all sheets, but not the rules in a layer, as ours are.
 */
export function turnedStyles(css: string): string[] {
  return Array.from(css.matchAll(/@media[^{]*\borientation\b[^{]*\{/g)).flatMap(({ index, 0: opening }) => {
    const start = index + opening.length;
    let end = start;
    for (let depth = 1; depth > 0 && end < css.length; end += 1) {
      if (css[end] === "{") depth += 1;
      if (css[end] === "}") depth -= 1;
    }
    return css.slice(start, end).match(/\b(?:rotate|matrix)[^;}]*/g) ?? [];
  });
}
