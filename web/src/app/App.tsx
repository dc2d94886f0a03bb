import { Suspense, type ReactNode } from "react";
import { BrowserRouter } from "react-router";
import { CallHost } from "#app/CallHost.tsx";
import { OverlayHost } from "#app/OverlayHost.tsx";
import { PageNotices } from "#app/PageNotices.tsx";
import { RouteEffects } from "#app/RouteEffects.tsx";
import { AppRoutes } from "#app/routes.tsx";
import { ErrorBoundary } from "#ui/ErrorBoundary.tsx";
import { LoadingOverlay } from "#ui/LoadingOverlay.tsx";
import { Toasts } from "#ui/Toasts.tsx";

/** The page: notices push it down, dialogs lie over it, toasts over those, the loading cover over everything. */
export function App(): ReactNode {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <RouteEffects />
        <PageNotices />
        <div id="page">
          <Suspense fallback={null}>
            <AppRoutes />
          </Suspense>
        </div>
        <CallHost />
        <OverlayHost />
        <Toasts />
        <LoadingOverlay />
      </BrowserRouter>
    </ErrorBoundary>
  );
}
