import { type Session, session } from "#lib/session.ts";
import { readStored } from "#lib/storage.ts";
import { dropSubscription, renewSubscription } from "./push-subscription.ts";

/**
 * Until `signal` aborts, keeps push subscriptions in line with the session: renews them after a sign-in, and removes
 * them after a sign-out (rule NOTIFY-6).
 */
export function followSession(signal: AbortSignal): void {
  let userId: number | null = null;
  let renewal = Promise.resolve();
  const follow = (state: Session) => {
    const now = state.status === "signed-in" ? state.user.user_id : null;
    if (now !== null && now !== userId) renewal = renewSubscription(now);
    // Drops the subscription a second time after a pending renewal, which may have subscribed again.
    if (hasLeft(state)) void Promise.all([dropSubscription(), renewal.then(dropSubscription, dropSubscription)]);
    userId = now;
  };
  follow(session.getState());
  signal.addEventListener("abort", session.subscribe(follow));
}

/**
 * Whether the user has left this browser for good; one who was kicked by another sign-in may return. After a ban the
 * server removes the account's notifications, but not those of an appeal.
 */
function hasLeft(state: Session): boolean {
  if (state.status === "banned") return readStored("appealTold") === null;
  return state.status === "anonymous" && (state.because === "signed_out" || state.because === "deleted");
}
