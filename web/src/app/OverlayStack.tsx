import { Suspense, useEffect, type ReactNode } from "react";
import { overlays, preload, preloadFollowing } from "#app/overlays.tsx";
import { closeOverlay, useOverlays } from "#lib/overlays.ts";
import { PartBoundary } from "#ui/PartBoundary.tsx";
import { SheetLife } from "#ui/sheet-life.ts";

/**
 * The open dialogs, the later ones over the earlier. It stands ready before there is any. One that does not come is closed,
 * as if the person had done it, and can be opened again.
 */
export function OverlayStack(): ReactNode {
  const open = useOverlays();
  // What a visitor most likely needs first.
  useEffect(() => preload("login"), []);
  useEffect(() => preloadFollowing(open.map(({ name }) => name)), [open]);
  return open.map((overlay) => {
    const Overlay = overlays[overlay.name];
    return (
      Overlay && (
        <SheetLife key={overlay.id} value={overlay.open}>
          <PartBoundary onMissing={() => closeOverlay(overlay.name)}>
            <Suspense fallback={null}>
              <Overlay />
            </Suspense>
          </PartBoundary>
        </SheetLife>
      )
    );
  });
}
