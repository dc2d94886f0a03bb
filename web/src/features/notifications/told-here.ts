import { pushAdd, pushDel, pushInfo } from "@fava/wire/endpoints/push.ts";
import { type NotificationChoice, type NotificationKind, notificationKinds } from "@fava/wire/notifications.ts";
import { fromBase64Url, toBase64Url } from "#lib/api/hex.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request, type RequestOptions } from "#lib/api/request.ts";
import { readStored } from "#lib/storage.ts";

/** Whether this browser can be told something while no page is open. `denied`: its owner said no to the browser. */
export type Reach = "can" | "denied" | "cannot";

export function reachOfBrowser(): Reach {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return "cannot";
  return Notification.permission === "denied" ? "denied" : "can";
}

/** What somebody is told who turns this on beside what is on already; at first without names and in peace at night (rule NOTIFY-13). */
export function choiceWith(kind: NotificationKind, choice: NotificationChoice | null): NotificationChoice {
  const { kinds, ...rest } = choiceWithout(kind, choice) ?? { kinds: [], names: 0, quiet: 1 };
  return { ...rest, kinds: [...kinds, notificationKinds.indexOf(kind)], offset_min: offsetMin() };
}

/** The same without it; null where nothing is left. */
export function choiceWithout(kind: NotificationKind, choice: NotificationChoice | null): NotificationChoice | null {
  const kinds = choice?.kinds.filter((id) => id !== notificationKinds.indexOf(kind)) ?? [];
  return choice && kinds.length > 0 ? { ...choice, kinds } : null;
}

/** How far this clock is ahead of UTC, in minutes. */
export function offsetMin(): number {
  return 0 - new Date().getTimezoneOffset();
}

/** Where this browser is reached; null where it is not. */
export async function subscriptionHere(): Promise<PushSubscription | null> {
  if (reachOfBrowser() !== "can") return null;
  return (await pushManager())?.getSubscription() ?? null;
}

/** What a browser gives out to be reached by. */
interface Reached {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** What became of having this browser told; `denied`: its owner said no to the browser. */
export type Telling = "told" | "denied" | "failed";

/**
 * Has this browser told what was chosen. Asks for permission where nobody has yet, and so has to be called out of a press.
 *
 * @param key of the server: a browser that subscribed with another one does so anew.
 */
export function tellHere(
  userId: number,
  { key, choice }: { key: string; choice: NotificationChoice },
  options: Pick<RequestOptions, "quiet"> = {},
): Promise<Telling> {
  const { kinds, ...rest } = choice;
  return reachHere(key, (reached) =>
    request(pushAdd, { user_id: userId, ...reached, kinds: kinds.join(","), ...rest }, options),
  );
}

/** How often this page was to have the browser told something. */
let tellings = 0;

/** The same for whatever `store` has the server keep of this browser. */
export async function reachHere(key: string, store: (reached: Reached) => Promise<unknown>): Promise<Telling> {
  tellings += 1;
  if ((await Notification.requestPermission()) !== "granted")
    return reachOfBrowser() === "denied" ? "denied" : "failed";
  try {
    const subscription = await subscribed(key);
    const { endpoint, keys = {} } = subscription?.toJSON() ?? {};
    const { p256dh, auth } = keys;
    if (endpoint === undefined || p256dh === undefined || auth === undefined) return "failed";
    await store({ endpoint, p256dh, auth });
    return "told";
  } catch (error) {
    // A browser whose push service is away says so by an error of its own.
    if (error instanceof RequestFailure || error instanceof DOMException) return "failed";
    throw error;
  }
}

/**
 * Has this person told nothing more at this browser, which goes on to tell of an appeal, whosever that is.
 * False where the server could not be reached: then it tells nobody of anything.
 */
export async function tellNothingHere(userId: number): Promise<boolean> {
  const subscription = await subscriptionHere();
  if (!subscription) return true;
  const { endpoint } = subscription;
  const tellsOfAppeal = readStored("appealTold") !== null;
  if (!tellsOfAppeal) await subscription.unsubscribe();
  try {
    await request(pushDel, { user_id: userId, endpoint });
    return true;
  } catch (error) {
    if (tellsOfAppeal) await subscription.unsubscribe();
    if (error instanceof RequestFailure) return false;
    throw error;
  }
}

/** After signing out nobody is told here, whatever the server has heard. */
export async function forgetHere(): Promise<void> {
  await (await subscriptionHere())?.unsubscribe();
}

/**
 * On a visit: the server learns that this browser is still used and by which clock, and a key that is new.
 * Where this person wants nothing here, whoever was here before is told nothing more.
 */
export async function renewHere(userId: number): Promise<void> {
  if (reachOfBrowser() !== "can" || Notification.permission !== "granted") return;
  const subscription = await subscriptionHere();
  if (!subscription) return;
  const { endpoint } = subscription;
  const before = tellings;
  try {
    const { key, choice } = await request(pushInfo, { user_id: userId, endpoint }, { quiet: true });
    if (key === null) return;
    if (choice === null) {
      // The same address also serves an appeal, and whatever was turned on since the server was asked.
      if (tellings === before && readStored("appealTold") === null) await forgetHere();
      return;
    }
    const told = await tellHere(userId, { key, choice: { ...choice, offset_min: offsetMin() } }, { quiet: true });
    const now = await subscriptionHere();
    if (told === "told" && now && now.endpoint !== endpoint)
      await request(pushDel, { user_id: userId, endpoint }, { quiet: true });
  } catch (error) {
    // The next visit does it.
    if (!(error instanceof RequestFailure)) throw error;
  }
}

/** Undefined where the page has no worker, as in development. */
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
