import { pushInfo } from "@fava/wire/endpoints/push.ts";
import { pushAskAgainMs } from "@fava/wire/limits.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { overCall } from "#lib/over-call.ts";
import { openOverlay } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import { reachOfBrowser, subscriptionHere } from "./told-here.ts";

let isWaiting = false;

/**
 * Two have become friends: now it helps to hear when one of them writes. Asked at home and not over a call, never where
 * the browser was told no, and not again for 30 days after "not now" (rules NOTIFY-20, NOTIFY-21).
 */
export function askAfterBefriending(): void {
  if (isWaiting) return;
  if (!overCall.getState()) return void ask();
  isWaiting = true;
  const stop = overCall.subscribe((isOver) => {
    if (isOver) return;
    isWaiting = false;
    stop();
    void ask();
  });
}

/** "Not now" holds for 30 days. */
export function declineAsking(): void {
  writeStored("notifyDeclined", Date.now());
}

async function ask(): Promise<void> {
  const user = currentUser();
  const declinedMs = readStored("notifyDeclined");
  if (!user || reachOfBrowser() !== "can") return;
  if (declinedMs !== null && Date.now() - declinedMs < pushAskAgainMs) return;
  if ((await subscriptionHere()) || !(await navigator.serviceWorker.getRegistration())) return;
  try {
    const { key } = await request(pushInfo, { user_id: user.user_id }, { quiet: true });
    if (key !== null && !overCall.getState()) await openOverlay("notify");
  } catch (error) {
    // Asked another time.
    if (!(error instanceof RequestFailure)) throw error;
  }
}
