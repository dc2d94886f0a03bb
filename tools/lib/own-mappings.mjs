import { decode, encode } from "@jridgewell/sourcemap-codec";

/**
 * A source map without the mappings of unwanted sources, so that stack traces show their compiled positions. At the
 * start of such a mapping, one without a source ends the previous mapping.
 */
export function ownMappings(map, isWanted) {
  const isKept = (place) => place !== undefined && place.length > 1 && isWanted(map.sources[place[1]]);
  const lines = decode(map.mappings).map((line) =>
    line.flatMap((place, index) => {
      if (isKept(place)) return [place];
      return isKept(line[index - 1]) ? [[place[0]]] : [];
    }),
  );
  return { ...map, mappings: encode(lines) };
}
