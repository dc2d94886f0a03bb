import type { Plugin } from "vite";

const order = "@layer tokens, base, components, features;";

/**
 * Puts each of our style sheets into the cascade layer of its folder, so that the styles of a feature take precedence
 * over those of `ui/`; sheets that name their layers stay unchanged. Each sheet declares the order: the first one that
 * the browser reads defines it, and which one that is depends on the chunks of the build.
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
