/**
 * What a style sheet turns only where the screen is held one way (WCAG 1.3.4), each as it stands there. Axe asks the same of
 * every page, and reads all its sheets for it, but none of the rules that stand in a layer, as ours do.
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
