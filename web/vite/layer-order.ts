import type { Plugin } from "vite";

const order = "@layer tokens, base, components, features;";

/**
 * States the order of the cascade layers at the head of every style sheet of ours. The first sheet that the browser
 * reads fixes the order, and which one that is depends on how the build splits its chunks.
 */
export function layerOrder(): Plugin {
  return {
    name: "fava:layer-order",
    enforce: "pre",
    transform: {
      filter: { id: /[\\/]src[\\/].*\.css$/ },
      handler: (source) => ({ code: `${order}\n${source}`, map: null }),
    },
  };
}
