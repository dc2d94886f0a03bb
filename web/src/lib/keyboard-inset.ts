/** A smaller inset is a browser bar, not a keyboard; in CSS pixels. */
const keyboardMinPx = 120;

/** How much of the window an on-screen keyboard covers from below, in CSS pixels. */
export function keyboardInset(
  windowHeightPx: number,
  seen: { readonly height: number; readonly offsetTop: number; readonly scale: number } | null,
): number {
  // A user who has zoomed in sees less as well, and nothing must move then.
  if (!seen || seen.scale > 1.01) return 0;
  const covered = Math.round(windowHeightPx - seen.height - seen.offsetTop);
  return covered < keyboardMinPx ? 0 : covered;
}

/**
 * Keeps `--keyboard` on the root element, by which the style sheets lift input fields. Browsers that shrink the page
 * itself leave it at 0.
 */
export function watchKeyboard(signal: AbortSignal): void {
  const seen = window.visualViewport;
  if (!seen) return;
  const measure = () => {
    const insetPx = keyboardInset(window.innerHeight, seen);
    document.documentElement.style.setProperty("--keyboard", `${insetPx}px`);
  };
  seen.addEventListener("resize", measure, { signal });
  seen.addEventListener("scroll", measure, { signal });
}
