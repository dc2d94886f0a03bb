import { LockOpen } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useUnread } from "#features/messages/unread.ts";
import { followChargeStatus } from "#features/shop/charge-status.ts";
import { AddressProvider, useAddress } from "#lib/address.ts";
import { onRequestEvent } from "#lib/api/request-events.ts";
import { setCanonical } from "#lib/document-head.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { session, useUser } from "#lib/session.ts";
import { isWaitingSheetOpen, removeWaitingSheet, runEarlyAct } from "#lib/shell.ts";
import { followConnection } from "#lib/socket/connection.ts";
import { useTitleBadge } from "#lib/use-document-title.ts";
import { Banner } from "#ui/Banner.tsx";
import { ErrorBoundary } from "#ui/ErrorBoundary.tsx";
import { LoadingOverlay } from "#ui/LoadingOverlay.tsx";
import { ConnectionBar } from "#ui/ConnectionBar.tsx";
import { SkipLink } from "#ui/SkipLink.tsx";
import { Toasts } from "#ui/Toasts.tsx";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";
import { showToast } from "#ui/toast-store.ts";
import { OverlayHost } from "./OverlayHost.tsx";
import { AppRoutes } from "./routes.tsx";
import { readySteps, startFlow } from "./start-flow.ts";

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

const CallLayer = lazyWithTimeout(() => import("#app/CallLayer.tsx").then((part) => part.CallLayer));

/** The call with its socket, loaded only for signed-in users. */
function CallHost(): ReactNode {
  const signedIn = useUser() !== null;
  return (
    signedIn && (
      <Suspense fallback={null}>
        <CallLayer />
      </Suspense>
    )
  );
}

const neverChanges = () => () => undefined;

/** Notices for the whole page: server unreachable, plain HTTP, no response, session ended. */
function PageNotices(): ReactNode {
  const t = useT();
  const [refused, setRefused] = useState(false);
  const insecure = useSyncExternalStore(
    neverChanges,
    () => !window.isSecureContext,
    () => false,
  );
  useEffect(() => {
    const owner = new AbortController();
    followConnection(owner.signal);
    return () => owner.abort();
  }, []);
  useEffect(
    () =>
      onRequestEvent((event) => {
        if (event.type === "server-error") showToast({ type: "error", text: t("error.server") });
        if (event.type === "insecure") setRefused(true);
      }),
    [t],
  );
  useEffect(
    () =>
      session.subscribe((now) => {
        if (now.status !== "anonymous") return;
        if (now.because === "expired") showToast({ type: "warning", text: t("error.signedOut") });
        if (now.because === "deleted") showToast({ type: "warning", text: t("error.accountDeleted") });
      }),
    [t],
  );
  return (
    <>
      <ConnectionBar />
      {(insecure || refused) && <Banner icon={<LockOpen size={18} />}>{t("insecure.text")}</Banner>}
    </>
  );
}

/** Does what a press on Start asked for before this script had come, unless the user has closed the waiting sheet. */
async function startEarly(): Promise<void> {
  await readySteps();
  if (!isWaitingSheetOpen()) return;
  await startFlow();
  // It is still there only if no dialog could be loaded.
  removeWaitingSheet();
}

/**
 * The effects of a change of route besides showing the page. Comes before the routes, so that a protected route opens
 * the login dialog after this has closed it (rule GUARD-1).
 */
function RouteEffects(): null {
  const { pathname } = useAddress();
  useEffect(followChargeStatus, []);
  useEffect(() => runEarlyAct({ start: () => void startEarly() }), []);
  useTitleBadge(useUnread());
  const language = useLanguage();
  useEffect(() => setCanonical(pathname, language), [pathname, language]);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    closeOverlay("login");
    window.scrollTo(0, 0);
  }, [pathname]);
  return null;
}
