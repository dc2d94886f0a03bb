import { type Session, session } from "#lib/session.ts";
import { readStored } from "#lib/storage.ts";
import { forgetHere, renewHere } from "./told-here.ts";

/** Until `signal` is aborted: whoever signs in is told here as they chose, and nobody after a sign-out (rule NOTIFY-6). */
export function followSession(signal: AbortSignal): void {
  let userId: number | null = null;
  let renewal = Promise.resolve();
  const follow = (state: Session) => {
    const now = state.status === "signed-in" ? state.user.user_id : null;
    if (now !== null && now !== userId) renewal = renewHere(now);
    // Once more after a renewal that was under way: it may have subscribed meanwhile.
    if (hasLeft(state)) void Promise.all([forgetHere(), renewal.then(forgetHere, forgetHere)]);
    userId = now;
  };
  follow(session.getState());
  signal.addEventListener("abort", session.subscribe(follow));
}

/**
 * For good, as far as this browser goes: whoever was signed out elsewhere by a new sign-in may come back. A ban takes
 * what this browser told of the account away at the server, and not that it tells of an appeal.
 */
function hasLeft(state: Session): boolean {
  if (state.status === "banned") return readStored("appealTold") === null;
  return state.status === "anonymous" && (state.because === "signed_out" || state.because === "deleted");
}
