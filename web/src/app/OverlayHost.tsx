import { Suspense, useEffect, useState, type ReactNode } from "react";
import { useAddress } from "#lib/address.ts";
import { closeAllOverlays, openOverlay, useOverlays } from "#lib/overlays.ts";
import { useSession } from "#lib/session.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";
import { PartBoundary } from "#ui/PartBoundary.tsx";

const OverlayStack = lazyWithTimeout(() => import("#app/OverlayStack.tsx").then((part) => part.OverlayStack));

/** The place of the dialogs. What knows them all is loaded once the page stands, or with the first of them. */
export function OverlayHost(): ReactNode {
  const open = useOverlays();
  const isWanted = open.length > 0;
  const [isLoaded, setLoaded] = useState(false);
  const { status } = useSession();
  const { pathname } = useAddress();
  useEffect(() => {
    // The end of a session is told whatever the page was doing; the dialogs before it have been closed.
    // The safety centre stays readable for who was banned; the notice follows on the next page (rule PAGE-51).
    if (status === "kicked" || (status === "banned" && pathname !== "/safety")) void openOverlay(status);
  }, [status, pathname]);
  useEffect(
    () =>
      whenIdle(() => {
        // A failure is no news: it is loaded again with the first dialog.
        OverlayStack.preload().then(
          () => setLoaded(true),
          () => undefined,
        );
      }),
    [],
  );
  return (
    (isWanted || isLoaded) && (
      <PartBoundary onMissing={closeAllOverlays} attempt={open}>
        <Suspense fallback={null}>
          <OverlayStack />
        </Suspense>
      </PartBoundary>
    )
  );
}
