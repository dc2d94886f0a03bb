import { nextTask } from "#lib/when-idle.ts";

/** Parts of a page whose fonts are applied together: small enough for one task on a slow phone. */
const fontParts = "#page :is(header, section, fieldset, footer, nav)";

/**
 * Loads the names and files of the fonts, which are no part of a prerendered page. A failure leaves the fallback fonts.
 */
export async function declareFonts(): Promise<void> {
  await Promise.allSettled([
    import("@fontsource-variable/inter/wght.css"),
    import("@fontsource-variable/bricolage-grotesque/wght.css"),
  ]);
}

/**
 * Applies the fonts of a prerendered page, which `early.ts` has set aside: part by part, each in a task of its own,
 * because a change of fonts lays the page out again. A font that fails to load keeps its fallback, and nothing moves.
 */
export async function showFonts(): Promise<void> {
  const root = document.documentElement;
  if (root.dataset.fonts === undefined) return;
  await declareFonts();
  const words = document.body.textContent;
  const families = ["Inter Variable", "Bricolage Grotesque Variable"];
  await Promise.allSettled(families.map((family) => document.fonts.load(`1em "${family}"`, words)));
  // Inner parts come before the parts around them.
  const parts = [...document.querySelectorAll<HTMLElement>(fontParts)].reverse();
  for (const part of parts) {
    await nextTask();
    part.dataset.fonts = "now";
    // Forces the layout now; otherwise all parts are laid out together in the next frame.
    void part.offsetHeight;
  }
  await nextTask();
  delete root.dataset.fonts;
  for (const part of parts) delete part.dataset.fonts;
}
