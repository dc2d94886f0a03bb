import { useEffect, type ReactNode } from "react";
import { Navigate } from "#app/Navigate.tsx";
import { guardRoute } from "#app/route-guard.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { useSession } from "#lib/session.ts";

/** Guards a protected route; `home` stands behind the login popup of those who are not signed in. */
export function RequireRole(props: { role: number; home: ReactNode; children: ReactNode }): ReactNode {
  const session = useSession();
  const verdict = guardRoute(session, props.role);
  useEffect(() => {
    if (verdict === "sign-in") void openOverlay("login");
    else closeOverlay("login");
  }, [verdict]);
  switch (verdict) {
    case "sign-in":
      return props.home;
    case "wait":
      return null;
    case "not-found":
      return <Navigate to="/404" />;
    case "enter":
      return props.children;
  }
}
