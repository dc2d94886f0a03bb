import { decode, encode } from "@jridgewell/sourcemap-codec";

/**
 * A source map without the places of unwanted sources, so that stacks show those as they are. Where such a place begins,
 * one without a source ends the place before.
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
