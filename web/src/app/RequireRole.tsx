import { Suspense, useEffect, type ReactNode } from "react";
import { Navigate } from "#app/Navigate.tsx";
import { guardRoute } from "#app/route-guard.ts";
import { WaitingFrame } from "#app/WaitingFrame.tsx";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { useSession } from "#lib/session.ts";

interface RequireRoleProps {
  role: number;
  home: ReactNode;
  /** What the children are made of: fetched while the server says who this is. */
  part: { preload: () => Promise<void> };
  children: ReactNode;
}

/** Guards a protected route; `home` stands behind the login popup of those who are not signed in. */
export function RequireRole(props: RequireRoleProps): ReactNode {
  const session = useSession();
  const verdict = guardRoute(session, props.role);
  useEffect(() => {
    if (verdict === "sign-in") void openOverlay("login");
    else closeOverlay("login");
  }, [verdict]);
  const { part } = props;
  useEffect(() => {
    // A failure is no news: it is loaded again when it is shown.
    if (verdict === "wait") part.preload().catch(() => undefined);
  }, [verdict, part]);
  switch (verdict) {
    case "sign-in":
      return props.home;
    case "wait":
      return <WaitingFrame />;
    case "not-found":
      return <Navigate to="/404" />;
    case "enter":
      return <Suspense fallback={<WaitingFrame />}>{props.children}</Suspense>;
  }
}
