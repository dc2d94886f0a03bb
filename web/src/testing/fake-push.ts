export interface FakePushOptions {
  /** What the browser's owner has said so far. */
  readonly permission: NotificationPermission;
  /** What they say when they are asked. */
  readonly answer?: NotificationPermission;
  /** The key with which the browser has subscribed already, in bytes. */
  readonly subscribedWith?: readonly number[];
  /** The push service is away. */
  readonly isAway?: boolean;
  /** Where the browser is reached, and by which keys; made up without. */
  readonly target?: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
}

/**
 * Puts a browser that can be told something in the place of the page's own, which has no push service; also sent to a page
 * as text. Answers how often its owner was asked, and takes everything back.
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
      state.asked += 1;
      if (state.permission === "default") state.permission = answer;
      return state.permission;
    },
  });
  replace(navigator.serviceWorker, "getRegistration", { value: async () => ({ pushManager }) });
  return {
    /** How often the browser's owner was asked. */
    asked: () => state.asked,
    /** Whether the browser is reached by anybody. */
    isSubscribed: () => state.subscription !== null,
    restore: () => {
      for (const [owner, name, before] of replaced) {
        if (before) Object.defineProperty(owner, name, before);
        else Reflect.deleteProperty(owner, name);
      }
    },
  };
}
