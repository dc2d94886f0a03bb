import { Suspense, type ReactNode } from "react";
import { HomeRoute } from "#app/HomeRoute.tsx";
import { useAddress } from "#lib/address.ts";
import { lazyWithTimeout, loadWithTimeout } from "#ui/lazy-with-timeout.ts";

const loadOthers = () => import("#app/OtherRoutes.tsx");
const OtherRoutes = lazyWithTimeout(() => loadOthers().then((part) => part.OtherRoutes));

/** The home screen, and every other page, which comes when it is asked for. */
export function AppRoutes(): ReactNode {
  const { pathname } = useAddress();
  return <Suspense fallback={null}>{pathname === "/" ? <HomeRoute /> : <OtherRoutes pathname={pathname} />}</Suspense>;
}

/** Loads the page of a path, so that its first rendering is all of it. @throws ChunkLoadError */
export async function preloadRoute(pathname: string): Promise<void> {
  if (pathname === "/") return;
  const [, { preloadPart }] = await Promise.all([OtherRoutes.preload(), loadWithTimeout(loadOthers)]);
  await preloadPart(pathname);
}
