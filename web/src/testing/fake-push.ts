export interface FakePushOptions {
  /** The permission at the start. */
  readonly permission: NotificationPermission;
  /** What the user answers to the permission prompt. */
  readonly answer?: NotificationPermission;
  /** The server's key, in bytes, with which this browser has subscribed already; left out: no subscription. */
  readonly subscribedWith?: readonly number[];
  /** Whether the push service is unavailable. */
  readonly isAway?: boolean;
  /** Endpoint and keys of the subscription; invented by default. */
  readonly target?: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
}

/**
 * Replaces the page's browser features by those of a browser that can notify, because the test browser has no push
 * service; also sent to a page as text. Returns the number of prompts, and how to restore everything.
 */
export function installFakePush({ permission, answer = "granted", subscribedWith, isAway, target }: FakePushOptions) {
  const state = { permission, asked: 0, made: 0, subscription: null as object | null };
  const subscriptionWith = (key: Uint8Array) => {
    state.made += 1;
    const endpoint = target?.endpoint ?? `https://fcm.googleapis.com/fcm/send/${state.made}`;
    const { p256dh, auth } = target ?? { p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22) };
    return {
      endpoint,
      options: { applicationServerKey: key.buffer },
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: async () => {
        state.subscription = null;
        return true;
      },
    };
  };
  if (subscribedWith) state.subscription = subscriptionWith(new Uint8Array(subscribedWith));
  const pushManager = {
    getSubscription: async () => state.subscription,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      if (isAway) throw new DOMException("no push service", "AbortError");
      state.subscription = subscriptionWith(applicationServerKey);
      return state.subscription;
    },
  };
  const replaced: [object, string, PropertyDescriptor | undefined][] = [];
  const replace = (owner: object, name: string, property: PropertyDescriptor) => {
    replaced.push([owner, name, Object.getOwnPropertyDescriptor(owner, name)]);
    Object.defineProperty(owner, name, { configurable: true, ...property });
  };
  replace(Notification, "permission", { get: () => state.permission });
  replace(Notification, "requestPermission", {
    value: async () => {
      // Safari asks only during the event of a press, not after a request for which the press waited.
      if (window.event === undefined) return state.permission;
      state.asked += 1;
      if (state.permission === "default") state.permission = answer;
      return state.permission;
    },
  });
  replace(navigator.serviceWorker, "getRegistration", { value: async () => ({ pushManager }) });
  return {
    /** The number of permission prompts. */
    asked: () => state.asked,
    /** Whether the browser has a push subscription. */
    isSubscribed: () => state.subscription !== null,
    restore: () => {
      for (const [owner, name, before] of replaced) {
        if (before) Object.defineProperty(owner, name, before);
        else Reflect.deleteProperty(owner, name);
      }
    },
  };
}
