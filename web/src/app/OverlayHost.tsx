import { Suspense, useEffect, type ReactNode } from "react";
import { overlays, preloadFollowing, preloadOverlays } from "#app/overlays.tsx";
import { openOverlay, useOverlays } from "#lib/overlays.ts";
import { useSession } from "#lib/session.ts";
import { SheetLife } from "#ui/sheet-life.ts";

/** Shows the open dialogs, the later ones over the earlier. */
export function OverlayHost(): ReactNode {
  const open = useOverlays();
  const { status } = useSession();
  useEffect(() => {
    // The end of a session is told whatever the page was doing; the dialogs before it have been closed.
    if (status === "kicked" || status === "banned") void openOverlay(status);
  }, [status]);
  useEffect(preloadOverlays, []);
  useEffect(() => preloadFollowing(open.map(({ name }) => name)), [open]);
  return open.map((overlay) => {
    const Overlay = overlays[overlay.name];
    return (
      Overlay && (
        <SheetLife key={overlay.id} value={overlay.open}>
          <Suspense fallback={null}>
            <Overlay />
          </Suspense>
        </SheetLife>
      )
    );
  });
}
