import type { Session } from "#lib/session-state.ts";

/** sign-in: the login popup over home. wait: the server has not said yet who this is. */
export type GuardVerdict = "sign-in" | "wait" | "not-found" | "enter";

/**
 * What a protected route does (rule GUARD-1, GUARD-2): without a session the login popup opens; who has too small a role
 * sees the same page as for a path that does not exist, so that nothing is revealed. The role is the server's answer,
 * never the storage's.
 */
export function guardRoute(session: Session, role: number): GuardVerdict {
  switch (session.status) {
    case "anonymous":
    case "kicked":
    case "banned":
      return "sign-in";
    case "signing-in":
    case "restoring":
      return "wait";
    case "signed-in":
      return session.user.role >= role ? "enter" : "not-found";
  }
}
