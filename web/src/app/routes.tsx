import { Suspense, type ReactNode, useEffect } from "react";
import { HomeRoute } from "#app/HomeRoute.tsx";
import { WaitingFrame } from "#app/WaitingFrame.tsx";
import { useAddress } from "#lib/address.ts";
import { finishHydration } from "#lib/shell.ts";
import { lazyWithTimeout, loadWithTimeout } from "#ui/lazy-with-timeout.ts";

const loadOthers = () => import("#app/OtherRoutes.tsx");
const OtherRoutes = lazyWithTimeout(() => loadOthers().then((part) => part.OtherRoutes));

/** Protected pages, which show their frame while they load. */
const framed = /^\/(?:admin|reportReview|avatarAudit|photoReview)(?:\/|$)/;

/** The home screen, and every other page, which is loaded on demand. */
export function AppRoutes(): ReactNode {
  const { pathname } = useAddress();
  const waiting = framed.test(pathname) ? <WaitingFrame /> : null;
  return (
    <Suspense fallback={waiting}>
      {pathname === "/" ? <HomeRoute /> : <OtherRoutes pathname={pathname} />}
      <Hydrated />
    </Suspense>
  );
}

/** Hydrated together with the screen beside it. */
function Hydrated(): null {
  useEffect(finishHydration, []);
  return null;
}

/** Loads the page of a path, so that its first rendering is complete. @throws ChunkLoadError */
export async function preloadRoute(pathname: string): Promise<void> {
  if (pathname === "/" || framed.test(pathname)) return;
  const [, { preloadPart }] = await Promise.all([OtherRoutes.preload(), loadWithTimeout(loadOthers)]);
  await preloadPart(pathname);
}
