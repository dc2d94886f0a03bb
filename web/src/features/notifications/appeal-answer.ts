import { appealPushAdd, appealPushDel, appealPushInfo } from "@fava/wire/endpoints/appeals.ts";
import { request } from "#lib/api/request.ts";
import { currentUser } from "#lib/session.ts";
import { readStored, removeStored, writeStored } from "#lib/storage.ts";
import { wasDeclined } from "./ask.ts";
import {
  dropSubscription,
  offsetMin,
  type PushSupport,
  subscribeBrowser,
  pushSupport,
  currentSubscription,
  type SubscribeResult,
} from "./push-subscription.ts";

/**
 * Whether this browser notifies of the answer to an appeal. `none`: the server sends no notifications, or the user
 * declined in the last 30 days.
 */
export type AnswerNotice =
  | { readonly kind: "on" | "none" | Exclude<PushSupport, "can"> }
  | { readonly kind: "open"; readonly key: string };

/** Sends a request without a session: the ban's token in its input authorizes it. */
const asVisitor = { token: "", quiet: true } as const;

/** @throws RequestFailure */
export async function loadAnswerNotice(token: string): Promise<AnswerNotice> {
  const endpoint = (await currentSubscription())?.endpoint;
  const about = { appeal_token: token, ...(endpoint !== undefined && { endpoint }) };
  const { key, on } = await request(appealPushInfo, about, asVisitor);
  if (on) {
    writeStored("appealTold", token);
    return { kind: "on" };
  }
  if (isKeptFor(token)) removeStored("appealTold");
  if (key === null) return { kind: "none" };
  const reach = pushSupport();
  if (reach !== "can") return { kind: reach };
  // Without a service worker, as in development, no notification can be shown.
  const isThere = (await navigator.serviceWorker.getRegistration()) !== undefined;
  return isThere && !wasDeclined("answer") ? { kind: "open", key } : { kind: "none" };
}

/**
 * Makes this browser notify of the answer to the appeal, and stores the token that opens it. May ask for permission, so
 * call it in a press.
 */
export async function subscribeToAnswer(token: string, key: string): Promise<SubscribeResult> {
  return subscribeBrowser(key, async (reached) => {
    const about = { appeal_token: token, ...reached, offset_min: offsetMin() };
    const { on } = await request(appealPushAdd, about, asVisitor);
    if (on) writeStored("appealTold", token);
  });
}

/** @throws RequestFailure if the server was not reached: it keeps notifying */
export async function unsubscribeFromAnswer(token: string): Promise<void> {
  await request(appealPushDel, { appeal_token: token }, asVisitor);
  await answerIsKnown(token);
}

/**
 * Call it once the answer to the appeal was shown: removes the stored token, and the push subscription if no user is
 * signed in.
 */
export async function answerIsKnown(token: string): Promise<void> {
  if (!isKeptFor(token)) return;
  removeStored("appealTold");
  if (!currentUser()) await dropSubscription();
}

/** The token of the appeal that this browser notifies of. */
export function subscribedAppealToken(): string | null {
  return readStored("appealTold");
}

/** Each sign-in creates a new token of the same ban, all with the same first part. */
function isKeptFor(token: string): boolean {
  const [kept, asked] = [readStored("appealTold"), token].map((one) => one?.split(".", 1)[0]);
  return kept !== undefined && kept === asked;
}
