import type { ReactNode } from "react";
import { CallHost } from "#app/CallHost.tsx";
import { OverlayHost } from "#app/OverlayHost.tsx";
import { PageNotices } from "#app/PageNotices.tsx";
import { RouteEffects } from "#app/RouteEffects.tsx";
import { AppRoutes } from "#app/routes.tsx";
import { AddressProvider } from "#lib/address.ts";
import { ErrorBoundary } from "#ui/ErrorBoundary.tsx";
import { LoadingOverlay } from "#ui/LoadingOverlay.tsx";
import { SkipLink } from "#ui/SkipLink.tsx";
import { Toasts } from "#ui/Toasts.tsx";

/**
 * The page: notices push it down, dialogs lie over it, toasts over those, the loading cover over everything. `pathname`
 * is given where there is no address bar (`prerender.tsx`).
 */
export function App(props: { pathname?: string }): ReactNode {
  return (
    <ErrorBoundary>
      <AddressProvider {...props}>
        <SkipLink />
        <RouteEffects />
        <PageNotices />
        <div id="page">
          <AppRoutes />
        </div>
        <CallHost />
        <OverlayHost />
        <Toasts />
        <LoadingOverlay />
      </AddressProvider>
    </ErrorBoundary>
  );
}
