import { useEffect } from "react";
import { goTo } from "#lib/address.ts";

/** Goes elsewhere in place of showing anything. */
export function Navigate({ to }: { to: string }): null {
  useEffect(() => goTo(to, { replace: true }), [to]);
  return null;
}
