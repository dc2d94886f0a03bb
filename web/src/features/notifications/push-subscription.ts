import { pushAdd, pushDel, pushInfo } from "@fava/wire/endpoints/push.ts";
import { type NotificationChoice, type NotificationKind, notificationKinds } from "@fava/wire/notifications.ts";
import { fromBase64Url, toBase64Url } from "#lib/api/hex.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request, type RequestOptions } from "#lib/api/request.ts";
import { readStored } from "#lib/storage.ts";

/** Whether this browser can show notifications without an open page. `denied`: the user denied the permission. */
export type PushSupport = "can" | "denied" | "cannot";

export function pushSupport(): PushSupport {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return "cannot";
  return Notification.permission === "denied" ? "denied" : "can";
}

/** The choice with this kind added; a first choice has no names and quiet nights (rule NOTIFY-13). */
export function choiceWith(kind: NotificationKind, choice: NotificationChoice | null): NotificationChoice {
  const { kinds, ...rest } = choiceWithout(kind, choice) ?? { kinds: [], names: 0, quiet: 1 };
  return { ...rest, kinds: [...kinds, notificationKinds.indexOf(kind)], offset_min: offsetMin() };
}

/** The choice without this kind; null if nothing is left. */
export function choiceWithout(kind: NotificationKind, choice: NotificationChoice | null): NotificationChoice | null {
  const kinds = choice?.kinds.filter((id) => id !== notificationKinds.indexOf(kind)) ?? [];
  return choice && kinds.length > 0 ? { ...choice, kinds } : null;
}

/** How far the local time is ahead of UTC, in minutes. */
export function offsetMin(): number {
  return 0 - new Date().getTimezoneOffset();
}

/** The push subscription of this browser; null without one. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  if (pushSupport() !== "can") return null;
  return (await pushManager())?.getSubscription() ?? null;
}

/** The address and keys of a push subscription. */
interface SubscriptionKeys {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** The result of turning notifications on; `denied`: the user denied the permission. */
export type SubscribeResult = "told" | "denied" | "failed";

/**
 * Makes this browser notify of what was chosen. May ask for permission, so call it in a press.
 *
 * @param key of the server: a browser that subscribed with another one subscribes again
 */
export function subscribeUser(
  userId: number,
  { key, choice }: { key: string; choice: NotificationChoice },
  options: Pick<RequestOptions, "quiet"> = {},
): Promise<SubscribeResult> {
  const { kinds, ...rest } = choice;
  return subscribeBrowser(key, (reached) =>
    request(pushAdd, { user_id: userId, ...reached, kinds: kinds.join(","), ...rest }, options),
  );
}

/** Counts the requests to turn notifications on. */
let subscribeCount = 0;

/** Subscribes this browser, and lets `store` send the subscription to the server. */
export async function subscribeBrowser(
  key: string,
  store: (reached: SubscriptionKeys) => Promise<unknown>,
): Promise<SubscribeResult> {
  subscribeCount += 1;
  if ((await Notification.requestPermission()) !== "granted") return pushSupport() === "denied" ? "denied" : "failed";
  try {
    const subscription = await subscribed(key);
    const { endpoint, keys = {} } = subscription?.toJSON() ?? {};
    const { p256dh, auth } = keys;
    if (endpoint === undefined || p256dh === undefined || auth === undefined) return "failed";
    await store({ endpoint, p256dh, auth });
    return "told";
  } catch (error) {
    // A browser throws a DOMException when its push service is unavailable.
    if (error instanceof RequestFailure || error instanceof DOMException) return "failed";
    throw error;
  }
}

/**
 * Stops all notifications of this user in this browser, but not those of an appeal, which may be another user's.
 * Resolves to false if the server could not be reached: the browser then shows none of them.
 */
export async function unsubscribeUser(userId: number): Promise<boolean> {
  const subscription = await currentSubscription();
  if (!subscription) return true;
  const { endpoint } = subscription;
  const isForAppeal = readStored("appealTold") !== null;
  if (!isForAppeal) await subscription.unsubscribe();
  try {
    await request(pushDel, { user_id: userId, endpoint });
    return true;
  } catch (error) {
    if (isForAppeal) await subscription.unsubscribe();
    if (error instanceof RequestFailure) return false;
    throw error;
  }
}

/** After a sign-out this browser shows nothing, whether the server knows of it or not. */
export async function dropSubscription(): Promise<void> {
  await (await currentSubscription())?.unsubscribe();
}

/**
 * On each visit: tells the server that this browser is still in use, its time zone, and a new key. If this user wants
 * no notifications here, ends those of the previous user.
 */
export async function renewSubscription(userId: number): Promise<void> {
  if (pushSupport() !== "can" || Notification.permission !== "granted") return;
  const subscription = await currentSubscription();
  if (!subscription) return;
  const { endpoint } = subscription;
  const before = subscribeCount;
  try {
    const { key, choice } = await request(pushInfo, { user_id: userId, endpoint }, { quiet: true });
    if (key === null) return;
    if (choice === null) {
      // Keeps the subscription if an appeal uses it too, or if the user has turned notifications on during the request.
      if (subscribeCount === before && readStored("appealTold") === null) await dropSubscription();
      return;
    }
    const told = await subscribeUser(userId, { key, choice: { ...choice, offset_min: offsetMin() } }, { quiet: true });
    const now = await currentSubscription();
    if (told === "told" && now && now.endpoint !== endpoint)
      await request(pushDel, { user_id: userId, endpoint }, { quiet: true });
  } catch (error) {
    // Ignores a failed request: the next visit renews the subscription.
    if (!(error instanceof RequestFailure)) throw error;
  }
}

/** Undefined without a service worker, as in development. */
async function pushManager(): Promise<PushManager | undefined> {
  return (await navigator.serviceWorker.getRegistration())?.pushManager;
}

async function subscribed(key: string): Promise<PushSubscription | undefined> {
  const manager = await pushManager();
  const present = await manager?.getSubscription();
  const usedKey = present?.options.applicationServerKey;
  if (present && usedKey && toBase64Url(new Uint8Array(usedKey)) === key) return present;
  await present?.unsubscribe();
  return manager?.subscribe({ userVisibleOnly: true, applicationServerKey: fromBase64Url(key) });
}
