import type { Plugin } from "vite";

const order = "@layer tokens, base, components, features;";

/**
 * Puts every style sheet of ours into the cascade layer of its folder, so that what a feature says of a part of `ui/`
 * holds whatever that part says itself; sheets that name their layers stay as they are. The order stands at the head of
 * each: the first sheet that the browser reads fixes it, and which one that is depends on how the build splits its chunks.
 */
export function layerOrder(): Plugin {
  return {
    name: "fava:layer-order",
    enforce: "pre",
    transform: {
      filter: { id: /[\\/]src[\\/].*\.css$/ },
      handler: (source, id) => ({ code: `${order}\n${layered(source, id)}`, map: null }),
    },
  };
}

function layered(source: string, id: string): string {
  if (source.includes("@layer")) return source;
  const layer = /[\\/]src[\\/]ui[\\/]/.test(id) ? "components" : "features";
  return `@layer ${layer} {\n${source}\n}`;
}
