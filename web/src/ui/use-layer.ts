import { useEffect, useState } from "react";
import { pushLayer } from "#lib/layers.ts";

/** Keeps a layer on top while `open`. Returns the layer, for `isTopLayer`. */
export function useLayer(open: boolean): symbol {
  const [layer] = useState(() => Symbol("layer"));
  useEffect(() => (open ? pushLayer(layer) : undefined), [layer, open]);
  return layer;
}
