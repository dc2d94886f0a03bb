import { type ReactNode, useEffect } from "react";
import { useAddress } from "#lib/address.ts";
import { closeAllOverlays, openOverlay, useOverlays } from "#lib/overlays.ts";
import { useSession } from "#lib/session.ts";
import { LoadedPart } from "#ui/LoadedPart.tsx";
import { lazyWithTimeout, noTexts } from "#ui/lazy-with-timeout.ts";

/** The dialogs, with the login dialog. Loaded when the page is idle, or with the first of them. */
export const OverlayStack = lazyWithTimeout(
  () => import("#app/OverlayStack.tsx").then((part) => part.OverlayStack),
  noTexts,
);

/** Hosts the dialogs. */
export function OverlayHost(): ReactNode {
  const open = useOverlays();
  const { status } = useSession();
  const { pathname } = useAddress();
  useEffect(() => {
    // The end of a session is always shown; earlier dialogs have been closed. A banned user can still read the safety
    // centre; the notice follows on the next page.
    if (status === "kicked" || (status === "banned" && pathname !== "/safety")) void openOverlay(status);
  }, [status, pathname]);
  return open.length > 0 && <LoadedPart part={OverlayStack} onMissing={closeAllOverlays} attempt={open} />;
}
