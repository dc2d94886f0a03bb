import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formIds, formInteger, formText, formUserId } from "../form.ts";
import { pushEndpointLengthMax, pushOffsetMin } from "../limits.ts";
import { notificationChoiceSchema, notificationKinds } from "../notifications.ts";

/** Push service URL of a browser's subscription. */
export const pushEndpoint = formText(1, pushEndpointLengthMax);

/** Push subscription of a browser, and its time zone. */
export const pushBrowser = {
  endpoint: pushEndpoint,
  /** Keys as browsers return them, base64url without padding: a P-256 point (uncompressed), 16 random bytes. */
  p256dh: v.pipe(v.string(), v.regex(/^B[\w-]{86}$/)),
  auth: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)),
  offset_min: formInteger(pushOffsetMin.min, pushOffsetMin.max),
} as const;

export const pushInfo = endpoint({
  path: "/api/push/info",
  summary: "Whether notifications are available while no page is open, and the settings of this browser",
  access: "user",
  isRead: true,
  input: { user_id: formUserId, endpoint: v.optional(pushEndpoint) },
  output: v.strictObject({
    /** Application server key of Web Push, in base64url; null where the operator has none. */
    key: v.nullable(v.string()),
    /** Null where this browser has no subscription, or did not name its endpoint. */
    choice: v.nullable(notificationChoiceSchema),
  }),
});

export const pushAdd = endpoint({
  path: "/api/push/add",
  summary: "Subscribe this browser to notifications; a second request changes its settings",
  access: "user",
  input: {
    user_id: formUserId,
    ...pushBrowser,
    /** Ids joined by commas. */
    kinds: formIds(notificationKinds.length - 1, notificationKinds.length),
    names: formChoice([0, 1]),
    quiet: formChoice([0, 1]),
  },
  output: notificationChoiceSchema,
});

export const pushDel = endpoint({
  path: "/api/push/del",
  summary: "Remove the subscription of this browser",
  access: "user",
  input: { user_id: formUserId, endpoint: pushEndpoint },
  output: v.strictObject({}),
});
