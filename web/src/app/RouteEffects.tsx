import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { followChargeStatus } from "#lib/charge-status.ts";
import { handOverNavigation } from "#lib/navigation.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useTitleBadge } from "#lib/use-document-title.ts";

/**
 * What a change of route does besides showing the page. It stands before the routes, so that a protected one opens the
 * login popup after it was closed here (rule GUARD-1).
 */
export function RouteEffects(): null {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    handOverNavigation((path) => void navigate(path));
  }, [navigate]);
  useEffect(followChargeStatus, []);
  useTitleBadge();
  useEffect(() => {
    closeOverlay("login");
    window.scrollTo(0, 0);
  }, [pathname]);
  return null;
}
