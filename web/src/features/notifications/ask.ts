import { createStore, useStore } from "zustand";
import { pushInfo } from "@fava/wire/endpoints/push.ts";
import { pushAskAgainMs } from "@fava/wire/limits.ts";
import { type NotificationKind, notificationKinds } from "@fava/wire/notifications.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { overCall } from "#lib/over-call.ts";
import { openOverlay, type OverlayResult } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import { reachOfBrowser, subscriptionHere } from "./told-here.ts";

/** What our own question can be about, of whoever is signed in. */
export type AskedKind = Exclude<NotificationKind, "decision">;

/** What our own question is about; the answer to an appeal is told by the token of the ban and the server's key. */
type Asked = { readonly kind: AskedKind } | { readonly kind: "answer"; readonly token: string; readonly key: string };

/** Where "not now" is kept, for each thing that is asked about. */
const declinedIn = {
  message: "notifyDeclined",
  fits: "tellDeclined",
  ring: "ringsDeclined",
  answer: "answerDeclined",
} as const satisfies Record<Asked["kind"], string>;

let isWaiting = false;
const asked = createStore<Asked>(() => ({ kind: "message" }));

export function useAsked(): Asked {
  return useStore(asked);
}

/**
 * Two have become friends: now it helps to hear when one of them writes. Asked at home and not over a call, never where
 * the browser was told no, and not again for 30 days after "not now".
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
  writeStored(declinedIn[asked.getState().kind], Date.now());
}

/** Whether "not now" was said in the last 30 days. */
export function wasDeclined(kind: Asked["kind"]): boolean {
  const declinedMs = readStored(declinedIn[kind]);
  return declinedMs !== null && Date.now() - declinedMs < pushAskAgainMs;
}

/** How this browser stands to something that it could tell: of `on` and `open` something can come of it at once. */
export type Standing = "on" | "open" | "declined" | "cannot";

/** @throws RequestFailure */
export async function standingOf(kind: AskedKind): Promise<Standing> {
  const user = currentUser();
  if (!user || reachOfBrowser() !== "can" || !(await navigator.serviceWorker.getRegistration())) return "cannot";
  const endpoint = (await subscriptionHere())?.endpoint;
  const isDeclined = wasDeclined(kind);
  // Nothing is on where nothing comes.
  if (isDeclined && endpoint === undefined) return "declined";
  const about = { user_id: user.user_id, ...(endpoint !== undefined && { endpoint }) };
  const { key, choice } = await request(pushInfo, about, { quiet: true });
  if (key === null) return "cannot";
  if (choice?.kinds.includes(notificationKinds.indexOf(kind))) return "on";
  return isDeclined ? "declined" : "open";
}

/** Asks our own question, and, after a press, the browser's; `done`: this browser tells of it from now on. */
export function askFor(kind: AskedKind): Promise<OverlayResult> {
  return askAbout({ kind });
}

/** The same about the answer to an appeal. */
export function askAbout(about: Asked): Promise<OverlayResult> {
  asked.setState(about, true);
  return openOverlay("notify");
}

async function ask(): Promise<void> {
  try {
    const standing = await standingOf("message");
    if (standing === "open" && !overCall.getState()) await askFor("message");
  } catch (error) {
    // Asked another time.
    if (!(error instanceof RequestFailure)) throw error;
  }
}
