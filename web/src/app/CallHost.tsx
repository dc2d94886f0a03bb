import { Suspense, type ReactNode } from "react";
import { useUser } from "#lib/session.ts";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";

const CallLayer = lazyWithTimeout(() => import("#app/CallLayer.tsx").then((part) => part.CallLayer));

/** The call with its socket, loaded for people who are signed in: visitors do without. */
export function CallHost(): ReactNode {
  const signedIn = useUser() !== null;
  return (
    signedIn && (
      <Suspense fallback={null}>
        <CallLayer />
      </Suspense>
    )
  );
}
