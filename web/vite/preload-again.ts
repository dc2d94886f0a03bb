import type { Plugin } from "vite";
import { styleFile } from "./page-html.ts";

/** The code of Vite's helper, and its replacement. */
const changes = [
  // It remembers a failed load as done.
  ["seen[href] = void 0;\n\t\tthrow err;", "delete seen[href];\n\t\tthrow err;"],
  // It takes the failed link, which stays in the page, for a style sheet.
  ['if (e.type === "error") rej(', 'if (e.type === "error") link.remove(), rej('],
  // It loads an inlined style sheet again: another 8 KB, and a new style computation for every element.
  [
    'const links = document.getElementsByTagName("link");',
    `const links = document.getElementsByTagName("link");
\t\t\t\t\tfor (const style of document.querySelectorAll("style[${styleFile}]"))
\t\t\t\t\t\tpreloadedHrefs.styles.add(new URL(style.getAttribute("${styleFile}"), document.baseURI).href);`,
  ],
] as const;

/**
 * Fixes Vite's helper for lazily loaded parts of the page. Without this, a part whose style sheet failed once is shown
 * without it until a reload, and a part that needs an inlined style sheet loads it again.
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
  if (!source.includes(was)) throw new Error(`Vite's preload helper has changed and does not contain ${was}`);
  return source.replace(was, becomes);
}
