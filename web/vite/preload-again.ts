import type { Plugin } from "vite";
import { styleFile } from "./page-html.ts";

/** What Vite's helper does, and what it has to do. */
const changes = [
  // It remembers what failed as loaded.
  ["seen[href] = void 0;\n\t\tthrow err;", "delete seen[href];\n\t\tthrow err;"],
  // It takes the link that failed, which stays in the page, for a style sheet.
  ['if (e.type === "error") rej(', 'if (e.type === "error") link.remove(), rej('],
  // It loads once more what stands in the page: another 8 KB, and every element's style is found anew.
  [
    'const links = document.getElementsByTagName("link");',
    `const links = document.getElementsByTagName("link");
\t\t\t\t\tfor (const style of document.querySelectorAll("style[${styleFile}]"))
\t\t\t\t\t\tpreloadedHrefs.styles.add(new URL(style.getAttribute("${styleFile}"), document.baseURI).href);`,
  ],
] as const;

/**
 * Mends Vite's helper for parts of the page that are loaded later: without this a part whose style sheet could not be
 * fetched once is shown without it until the page is loaded again, and a part that needs a style sheet
 * which stands in the page loads it once more.
 */
export function preloadAgain(): Plugin {
  return {
    name: "fava:preload-again",
    apply: "build",
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler: (source) => ({ code: changes.reduce(changed, source), map: null }),
    },
  };
}

function changed(source: string, [was, becomes]: (typeof changes)[number]): string {
  if (!source.includes(was)) throw new Error(`Vite's preload helper has changed: it has no ${was}`);
  return source.replace(was, becomes);
}
