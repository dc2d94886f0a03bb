import { useEffect, useState } from "react";
import { pushLayer } from "#lib/layers.ts";

/** Puts a layer on top of the others while `open`; answers the layer, to ask whether it is still the top one. */
export function useLayer(open: boolean): symbol {
  const [layer] = useState(() => Symbol("layer"));
  useEffect(() => (open ? pushLayer(layer) : undefined), [layer, open]);
  return layer;
}
