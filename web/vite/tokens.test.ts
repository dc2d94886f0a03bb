import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("../src/styles/tokens.css", import.meta.url), "utf8");
const themes = ["light", "dark"] as const;
type Theme = (typeof themes)[number];
type Colour = readonly [red: number, green: number, blue: number];

/** The declared value of a token, one per theme or one for both. */
function tokenOf(name: string, theme: Theme): string {
  const value = new RegExp(String.raw`--${name}: ([^;]+);`).exec(css)?.[1];
  if (value === undefined) throw new Error(`no token ${name}`);
  const pair = /^light-dark\((#\w+), (#\w+)\)$/.exec(value);
  return (theme === "light" ? pair?.[1] : pair?.[2]) ?? value;
}

function colourOf(name: string, theme: Theme): Colour {
  return readColour(tokenOf(name, theme));
}

function readColour(value: string): Colour {
  const hex = /^#(\w\w)(\w\w)(\w\w)$/.exec(value);
  if (!hex) throw new Error(`no colour ${value}`);
  const [red, green, blue] = hex.slice(1).map((part) => Number.parseInt(part, 16));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

/** A veil over a video of any colour: `rgb(12 15 13 / 0.64)` over one colour. */
function veiled(name: string, over: Colour): Colour {
  const parts = /^rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)\)$/.exec(tokenOf(name, "dark"))?.slice(1).map(Number);
  if (!parts) throw new Error(`no overlay ${name}`);
  const alpha = parts[3] ?? 1;
  const mixed = over.map((channel, index) => (parts[index] ?? 0) * alpha + channel * (1 - alpha));
  return [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0];
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast by WCAG 2.2: 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((first, second) => second - first);
  return (high + 0.05) / (low + 0.05);
}

/** The pairs whose contrast is below `least`, as text. */
function tooFaint(pairs: readonly (readonly [front: string, back: string])[], least: number): string[] {
  return themes.flatMap((theme) =>
    pairs
      .map(([front, back]) => ({ front, back, found: contrast(colourOf(front, theme), colourOf(back, theme)) }))
      .filter(({ found }) => found < least)
      .map(({ front, back, found }) => `${front} on ${back}, ${theme}: ${found.toFixed(2)}`),
  );
}

const surfaces = ["bg", "surface-1", "surface-2"] as const;
const every = (fronts: readonly string[], backs: readonly string[]) =>
  fronts.flatMap((front) => backs.map((back) => [front, back] as const));

test("has a text contrast of 4.5 on every surface, in both themes", () => {
  expect(tooFaint(every(["text", "text-2", "text-3", "danger-text"], surfaces), 4.5)).toEqual([]);
  expect(tooFaint(every(["text", "text-2"], ["surface-3"]), 4.5)).toEqual([]);
  const filled = [
    ["bg", "text"],
    ["on-brand", "brand"],
    ["on-brand", "brand-hover"],
    ["on-brand", "brand-press"],
    ["brand-text", "brand-tint"],
    ["on-bean", "bean"],
    ["bean-text", "bean-tint"],
    ["on-danger", "danger"],
    ["on-danger", "danger-hover"],
    ["danger-text", "danger-tint"],
  ] as const;
  expect(tooFaint(filled, 4.5)).toEqual([]);
});

test("has a contrast of 3 for borders of controls and the focus ring", () => {
  expect(tooFaint(every(["line-strong", "focus"], surfaces), 3)).toEqual([]);
  // The focus ring of a filled control is outside, on the surface; on a dark call it is the dark theme's.
  expect(tooFaint(every(["focus"], ["surface-3"]), 3)).toEqual([]);
});

test("keeps text over a video readable even over a white one", () => {
  for (const veil of ["veil", "veil-strong"]) {
    const ground = veiled(veil, [255, 255, 255]);
    expect(contrast(colourOf("on-video", "dark"), ground)).toBeGreaterThanOrEqual(4.5);
    // The focus ring of the call, which is always dark.
    expect(contrast(colourOf("focus", "dark"), ground)).toBeGreaterThanOrEqual(3);
  }
});
