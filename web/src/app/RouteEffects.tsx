import { useEffect, useRef } from "react";
import { useAddress } from "#lib/address.ts";
import { followChargeStatus } from "#lib/charge-status.ts";
import { setCanonical } from "#lib/document-head.ts";
import { useLanguage } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { takeOver } from "#lib/shell.ts";
import { useTitleBadge } from "#lib/use-document-title.ts";

/**
 * What a change of route does besides showing the page. It stands before the routes, so that a protected one opens the
 * login popup after it was closed here (rule GUARD-1).
 */
export function RouteEffects(): null {
  const { pathname } = useAddress();
  useEffect(followChargeStatus, []);
  useEffect(takeOver, []);
  useTitleBadge();
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
