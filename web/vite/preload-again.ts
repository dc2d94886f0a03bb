import type { Plugin } from "vite";

/** What Vite's helper does, and what it has to do so that a style sheet that failed is fetched by the next try. */
const changes = [
  // It remembers what failed as loaded.
  ["seen[href] = void 0;\n\t\tthrow err;", "delete seen[href];\n\t\tthrow err;"],
  // It takes the link that failed, which stays in the page, for a style sheet.
  ['if (e.type === "error") rej(', 'if (e.type === "error") link.remove(), rej('],
] as const;

/**
 * Mends Vite's helper for parts of the page that are loaded later: without this a part whose style sheet could not be
 * fetched once is shown without it until the page is loaded again (rule DEVICE-13).
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
