import { useEffect, useState } from "react";
import { pushLayer } from "#lib/layers.ts";

/** Adds a layer on top while `open`; returns the layer, to check whether it is the topmost. */
export function useLayer(open: boolean): symbol {
  const [layer] = useState(() => Symbol("layer"));
  useEffect(() => (open ? pushLayer(layer) : undefined), [layer, open]);
  return layer;
}
