declare global {
  interface Window {
    /** In force on a page that was veiled. */
    veil?: CSSStyleSheet;
  }
}

/**
 * Leaves the page as it is, to be laid out, pressed and asked, but unpainted: painting is a tenth of what a test of a whole
 * page costs. Runs in a page before its own scripts.
 */
export function veil(): void {
  window.veil = new CSSStyleSheet();
  window.veil.replaceSync("html { opacity: 0 !important }");
  document.adoptedStyleSheets = [window.veil];
}
