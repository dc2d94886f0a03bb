import { createStore, useStore } from "zustand";
import { pushInfo } from "@fava/wire/endpoints/push.ts";
import { pushAskAgainMs } from "@fava/wire/limits.ts";
import { type NotificationKind, notificationKinds } from "@fava/wire/notifications.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { callShown } from "#lib/call-shown.ts";
import { openOverlay, type OverlayResult } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import { pushSupport, currentSubscription } from "./push-subscription.ts";

/** The kinds that our own question can be about, for a signed-in user. */
export type AskedKind = Exclude<NotificationKind, "decision" | "meet">;

/** The subject of our own question; the answer to an appeal needs the ban's token and the server's key. */
type Asked = { readonly kind: AskedKind } | { readonly kind: "answer"; readonly token: string; readonly key: string };

/** Where "not now" is stored for each subject. */
const declinedIn = {
  message: "notifyDeclined",
  fits: "tellDeclined",
  ring: "ringsDeclined",
  hour: "hoursDeclined",
  answer: "answerDeclined",
} as const satisfies Record<Asked["kind"], string>;

let isWaiting = false;
const asked = createStore<Asked>(() => ({ kind: "message" }));

export function useAsked(): Asked {
  return useStore(asked);
}

/**
 * Two users have become friends, so that notifications of messages are useful. Asks outside of calls, not if the
 * browser has denied permission, and not within 30 days after "not now".
 */
export function askAfterBefriending(): void {
  if (isWaiting) return;
  if (!callShown.getState()) return void ask();
  isWaiting = true;
  const stop = callShown.subscribe((isOver) => {
    if (isOver) return;
    isWaiting = false;
    stop();
    void ask();
  });
}

/** Stores "not now", which is valid for 30 days. */
export function declineAsking(): void {
  writeStored(declinedIn[asked.getState().kind], Date.now());
}

/** Whether the user declined in the last 30 days. */
export function wasDeclined(kind: Asked["kind"]): boolean {
  const declinedMs = readStored(declinedIn[kind]);
  return declinedMs !== null && Date.now() - declinedMs < pushAskAgainMs;
}

/** Whether this browser notifies of a kind. `on`: it does. `open`: our own question may be asked. */
export type NotifyState = "on" | "open" | "declined" | "cannot";

/** @throws RequestFailure */
export async function loadNotifyState(kind: AskedKind): Promise<NotifyState> {
  const user = currentUser();
  if (!user || pushSupport() !== "can" || !(await navigator.serviceWorker.getRegistration())) return "cannot";
  const endpoint = (await currentSubscription())?.endpoint;
  const isDeclined = wasDeclined(kind);
  // Nothing can be on without a push subscription.
  if (isDeclined && endpoint === undefined) return "declined";
  const about = { user_id: user.user_id, ...(endpoint !== undefined && { endpoint }) };
  const { key, choice } = await request(pushInfo, about, { quiet: true });
  if (key === null) return "cannot";
  if (choice?.kinds.includes(notificationKinds.indexOf(kind))) return "on";
  return isDeclined ? "declined" : "open";
}

/** Asks our own question, and after a press the browser's; `done`: this browser notifies of the kind from now on. */
export function askFor(kind: AskedKind): Promise<OverlayResult> {
  return askToNotify({ kind });
}

/** Asks our own question about any subject. */
export function askToNotify(about: Asked): Promise<OverlayResult> {
  asked.setState(about, true);
  return openOverlay("notify");
}

async function ask(): Promise<void> {
  try {
    const state = await loadNotifyState("message");
    if (state === "open" && !callShown.getState()) await askFor("message");
  } catch (error) {
    // After a failed request the page asks on another occasion.
    if (!(error instanceof RequestFailure)) throw error;
  }
}
